// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The lengths and formats that the chunks of a WAVE, AIFF or other IFF file declare, to be checked against the file.
///
/// libsndfile tolerates contradictions silently, but the user should be warned.
struct ContainerChunks {
    /// The reliability of the audio chunk's length.
    private enum AudioLength {
        case counted
        /// The value for an open length: the audio extends to the end of the file.
        case open
        /// A value left by a recorder that could not seek back, and that does not match the file.
        case placeholder
    }

    private(set) var format: ContainerFormat
    /// The error if the file ends before its audio; otherwise nil.
    private(set) var cutFault: AudioFileError?

    private let file: OpenFile
    private var damage = WarningList()
    private var sound: ChunkWalk.Chunk?
    private var audioLength = AudioLength.counted
    /// The end of the outermost chunk according to its length.
    private var declaredEnd: Int64
    /// Whether the chunk 'ds64' was found.
    private var hasLargeSizes = false
    /// Whether the audio or a chunk before it has an impossible length.
    private var hasImpossibleLength = false

    private var fileType: AudioFileType? { format.fileType }
    private var grammar: ChunkGrammar { format.grammar }
    private var fileBytes: Int64 { file.byteCount }
    private var audioStart: Int64? { sound?.contents.lowerBound }

    /// The size of the audio according to its chunk; nil if the length is open.
    private var promisedAudioBytes: Int64? { audioLength == .counted ? sound?.declaredBytes : nil }

    /// Reads the chunks of a file; nil if there are none.
    ///
    /// - Parameter start: The offset of the header, after tags.
    init?(file: OpenFile, from start: Int64 = 0) {
        guard file.bytes != nil, let head = file.whole(at: start, count: 12) else { return nil }
        guard let grammar = ChunkGrammar(head: head) ?? (head.starts(with: "FORM".utf8) ? .aiff : nil),
            grammar != .caf
        else { return nil }
        self.file = file
        format = ContainerFormat(AudioFileType(head: head), grammar)
        declaredEnd = start + grammar.declaredEnd(head: file.whole(at: start, count: 24) ?? head)
        walk(from: start)
    }

    private mutating func walk(from start: Int64) {
        var walk = ChunkWalk(grammar, from: start + grammar.firstChunkOffset, to: fileBytes)
        while let chunk = next(&walk) {
            if chunk.declaredBytes < 0, audioStart == nil {
                hasImpossibleLength = true
                return
            }
            if chunk.name == "ds64", fileType == .rf64,
                let end = walk.takeSizes(file.contents(of: chunk, atMost: 16) ?? [])
            {
                hasLargeSizes = true
                declaredEnd = start + end
            }
            format.read(chunk, in: file)
            if chunk.type == grammar.sound, sound == nil {
                (sound, audioLength) = (chunk, judge(chunk))
                // After an unreliable length, all data is audio, even if it resembles chunks.
                if isToEnd { return }
            } else if chunk.contents.upperBound > fileBytes {
                let bytes = chunk.contents.upperBound - fileBytes
                damage.append(
                    "chunk '\(chunk.name)' at byte \(chunk.offset) runs \(bytes) bytes past the end of the file"
                )
            }
        }
        if walk.stop == .cutHeader, audioStart == nil, fileType != nil {
            cutFault = AudioFileError(
                .damaged, "the file ends inside the header of a chunk, at byte \(walk.offset)")
        }
    }

    private func next(_ walk: inout ChunkWalk) -> ChunkWalk.Chunk? {
        walk.next(file.whole(at: walk.offset, count: walk.headerCount) ?? [])
    }

    private func judge(_ chunk: ChunkWalk.Chunk) -> AudioLength {
        guard chunk.length != .open else { return .open }
        guard fileType == .wave, PlaceholderLength.contains(chunk.declaredBytes), declaredEnd != fileBytes
        else { return .counted }
        guard chunk.contents.upperBound != fileBytes else { return .counted }
        // A recorder that writes to a pipe states such a length, and the pipe ends before it.
        guard chunk.contents.upperBound < fileBytes else { return .placeholder }
        // Audio may have exactly this length; then only chunks follow it.
        return holdsChunks(from: grammar.aligned(chunk.contents.upperBound)) ? .counted : .placeholder
    }

    /// Returns whether there are only chunks from an offset to the end of the file.
    private func holdsChunks(from first: Int64) -> Bool {
        var walk = ChunkWalk(grammar, from: first, to: fileBytes)
        while let chunk = next(&walk) {
            guard FourCharacterCode(rawValue: chunk.type).isPrintable else { return false }
        }
        return walk.stop != .cutChunk
    }

    /// A more precise error than libsndfile's for a file that it did not open; nil if the chunks show none.
    var openFault: AudioFileError? {
        (promiseFault ?? missingFault).map { AudioFileError(.damaged, $0) }
    }

    private var missingFault: String? {
        guard fileType != nil else { return nil }
        if hasImpossibleLength { return "a chunk of its header has an impossible length" }
        let isAIFF = grammar == .aiff
        if !format.isFound { return "its format is missing, the chunk '\(isAIFF ? "COMM" : "fmt ")'" }
        return audioStart == nil ? "its audio is missing, the chunk '\(isAIFF ? "SSND" : "data")'" : nil
    }

    /// Whether a recorder was killed before it wrote the lengths.
    private var isUnfinished: Bool {
        guard grammar != .aiff, let audioStart else { return false }
        return promisedAudioBytes == 0 && fileBytes > audioStart
            && WaveHeader.isUnfinished(end: declaredEnd, audioStart: audioStart)
    }

    /// Whether the audio extends to the end of the file, whatever its declared length.
    private var isToEnd: Bool { audioLength != .counted || isUnfinished }

    /// The number of bytes from the start of the audio chunk's contents to the end of the file.
    private var availableAudioBytes: Int64 { audioStart.map { fileBytes - $0 } ?? 0 }

    /// The range of the audio chunk's available contents; nil if there is no audio chunk.
    var audio: Range<Int64>? {
        guard let audioStart else { return nil }
        let promised = isToEnd ? nil : promisedAudioBytes
        return audioStart..<audioStart + min(max(promised ?? .max, 0), availableAudioBytes)
    }

    /// The range of the audio, if it extends beyond the declared length; otherwise nil.
    var prolongedAudio: Range<Int64>? { isToEnd ? audio : nil }

    /// Makes the file to present to libsndfile; nil if it can be read unchanged.
    ///
    /// - Throws: `damaged` for WAVE without a format or audio.
    func shown() throws(AudioFileError) -> VirtualFile? {
        guard grammar == .aiff else {
            guard missingFault == nil, let audio else {
                throw AudioFileError(.damaged, missingFault ?? "it has no audio")
            }
            let header = WaveHeader.shown(format: format.bytes, isBigEndian: grammar.isBigEndian)
            return VirtualFile(SplicedBytes([.literal(header), .file(audio)], of: file))
        }
        // A file without frames needs no audio chunk (AIFF 1.3, "Sound Data Chunk"), but libsndfile requires one.
        if audioStart == nil, format.countedFrames == 0, damage.problems.isEmpty {
            let padding = [UInt8](repeating: 0, count: Int(fileBytes & 1))
            let chunk = ChunkGrammar.aiff.header(grammar.sound, contentsBytes: 8)
            let bytes = padding + chunk + [UInt8](repeating: 0, count: 8)
            let patched = SplicedBytes(file, patches: format.patches)
            return VirtualFile(SplicedBytes([.file(0..<fileBytes), .literal(bytes)], of: patched))
        }
        return format.patches.isEmpty ? nil : VirtualFile(SplicedBytes(file, patches: format.patches))
    }

    /// Returns the number of frames, if libsndfile counts too many; nil if libsndfile's count is right.
    func mostFrames(coding: SndFileCoding) -> Int64? {
        guard audioLength == .counted, let promised = promisedAudioBytes, promised > 0 else { return nil }
        if coding.access == .raw { return format.countedFrames.flatMap { $0 > 0 ? $0 : nil } }
        return format.blocks?.frames(inBytes: min(promised, availableAudioBytes))
    }

    /// The fault if the header promises more audio than is present; nil otherwise.
    private var promiseFault: String? {
        let available = availableAudioBytes
        guard let promised = promisedAudioBytes, promised > available else { return nil }
        return "the header promises \(promised) bytes of audio, but the file ends after \(available)"
    }

    /// Reports data that the header promises but the file does not contain.
    ///
    /// - Parameter heldFrames: The number of frames in the audio chunk, counted or not.
    func report(heldFrames: Int64, coding: SndFileCoding, into warnings: inout WarningList) {
        if let promiseFault {
            warnings.append(promiseFault)
        } else if isUnfinished || audioLength == .placeholder {
            warnings.append(
                "the header was never finished; all that follows it is read as audio", grade: .oddity)
        }
        if coding.access == .raw, let countedFrames = format.countedFrames, countedFrames != heldFrames {
            let words = "the header counts \(countedFrames) frames, but the file holds \(heldFrames)"
            warnings.append(words, grade: countedFrames > heldFrames ? .damage : .oddity)
        }
        if fileType == .rf64, !hasLargeSizes {
            warnings.append("the chunk 'ds64' with the sizes is missing")
        }
        if let fault = format.blocks?.cutFault(inBytes: promisedAudioBytes ?? availableAudioBytes),
            promiseFault == nil
        {
            warnings.append(fault)
        }
        for problem in damage.problems { warnings.append(problem) }
        if promiseFault == nil, damage.problems.isEmpty { reportEnd(into: &warnings) }
    }

    /// Reports a file that is shorter than its outermost chunk.
    private func reportEnd(into warnings: inout WarningList) {
        // The padding of the last chunk may be missing.
        guard !isToEnd, declaredEnd > fileBytes + grammar.alignment - 1,
            !PlaceholderLength.contains(declaredEnd - 8), declaredEnd < PlaceholderLength.large,
            fileType != .rf64 || hasLargeSizes
        else { return }
        // Some programs also count the eight bytes of the header.
        let isMiscounted = declaredEnd - fileBytes <= 8
        warnings.append(
            "the header promises a file of \(declaredEnd) bytes, but it has \(fileBytes)",
            grade: isMiscounted ? .oddity : .damage)
    }
}
