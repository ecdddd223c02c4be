// SPDX-License-Identifier: MIT

import AQMagicCookies
import CAQSndFile
import CoreAudioTypes

/// A reader of PCM containers, and of all other files that libsndfile decodes, frame by frame.
@safe final class SndFileReader: ForwardReader {
    let isSeekable: Bool
    private let isPipe: Bool
    let channelLabels: [AudioChannelLabel]
    var warnings = WarningList()

    let file: OpenFile
    /// The file, or the part of it that is read.
    private let content: any ReadableBytes
    /// The bytes presented to the library; nil if the library reads the file itself.
    private var virtualFile: VirtualFile?
    private(set) var handle: SndFileHandle
    /// Whether a FLAC file that cannot be decoded can still be repaired.
    private var isRepairable: Bool
    let coding: SndFileCoding
    private let container: ContainerChunks?
    let containerName: String
    /// Information from the end of an Ogg file.
    let ending: OggEnding?
    /// The number of frames; nil if the header states none and they were not counted.
    private(set) var frameCount: Int64?
    /// The chunks and metadata of the file; read on request.
    private(set) lazy var details = ContainerDetails(
        file: file, prolongedAudio: container?.prolongedAudio)
    /// Whether an early end of the audio was reported.
    private var isShort = false
    /// Whether the pages of an Ogg file were checked.
    private var isScanned = false
    /// The library's position, in frames.
    var nextFrame: Int64 = 0
    var leastFramesPerRead = Int64.max

    /// - Parameters:
    ///   - content: The part of the file to read; nil for all of it.
    ///   - tagBytes: The size of tags before the header.
    ///   - containerName: The container of a pipe, if libsndfile gets another container; otherwise nil.
    init(
        file: OpenFile, isPipe: Bool, content: (any ReadableBytes)? = nil, behind tagBytes: Int64 = 0,
        containerName: String? = nil
    ) throws(AudioFileError) {
        self.file = file
        self.isPipe = isPipe
        self.content = content ?? file
        container = isPipe || content != nil ? nil : ContainerChunks(file: file, from: tagBytes)
        // The library corrects some of these faults, but the result is not the recorded audio.
        if let fault = container?.format.fault ?? container?.cutFault { throw fault }
        do {
            virtualFile = if let content { VirtualFile(content) } else { try container?.shown() }
            if virtualFile == nil, !isPipe, let length = SunHeader.openLength(in: file) {
                warnings.append(SunHeader.unfinished)
                virtualFile = VirtualFile(SplicedBytes(file, patches: [length]))
            }
            if virtualFile == nil, let descriptor = file.descriptor {
                handle = try SndFileHandle(descriptor: descriptor, mayWait: isPipe)
            } else {
                let shown = virtualFile ?? VirtualFile(file)
                virtualFile = shown
                handle = try SndFileHandle(virtualFile: shown)
            }
        } catch {
            // The library reports that a header is wrong, but not why.
            if let fault = container?.openFault { throw fault }
            throw SndFileFailure.explained(error, file: content ?? file, coding: container?.format.codingName)
        }
        let info = handle.info
        isRepairable = !isPipe && info.format & CInt(SF_FORMAT_TYPEMASK) == CInt(SF_FORMAT_FLAC)
        // The library also decodes MPEG audio, but without packets, and with gaps.
        guard info.format & CInt(SF_FORMAT_TYPEMASK) != CInt(SF_FORMAT_MPEG) else {
            throw AudioFileError(.unrecognised, "it is MPEG audio")
        }
        if let fault = FormatLimits.fault(sampleRate: Double(info.samplerate), channels: Int(info.channels)) {
            throw AudioFileError(.unsupported, "it has \(fault)")
        }
        // The library returns whether the processor must swap. This processor is little-endian exactly if the native
        // flag is clear.
        let isSwapped = unsafe sf_command(handle.pointer, CInt(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) != 0
        coding = SndFileCoding(
            info: info, isBigEndian: isSwapped != (kAudioFormatFlagsNativeEndian != 0),
            exactRate: container?.format.exactRate)
        self.containerName = containerName ?? container?.format.fileType?.name ?? coding.containerName
        isSeekable = !isPipe && info.seekable != 0
        channelLabels = Self.channelLabels(of: handle, container)
        let heldFrames = Self.frameCount(info: info, coding: coding, file: file)
        let mostFrames = container?.mostFrames(coding: coding) ?? .max
        frameCount = heldFrames.map { min($0, mostFrames) }
        let isOgg = info.format & CInt(SF_FORMAT_TYPEMASK) == CInt(SF_FORMAT_OGG)
        ending = isOgg && !isPipe ? OggEnding(file: self.content) : nil
        ending?.warnings.problems.forEach { warnings.append($0) }
        if let container { container.report(heldFrames: heldFrames ?? 0, coding: coding, into: &warnings) }
    }

    var format: AudioStreamBasicDescription { coding.format }

    var isLossy: Bool { coding.isLossy }

    var decodedCodec: String? { coding.decodedCodec }

    var sampleDigest: SampleDigest? {
        guard !isPipe, handle.info.format & CInt(SF_FORMAT_TYPEMASK) == CInt(SF_FORMAT_FLAC) else {
            return nil
        }
        return FLACStreamInfo(file: content)?.digest
    }

    var packetTable: PacketTable? {
        frameCount.map { PacketTable(primingFrames: 0, validFrames: $0, remainderFrames: 0) }
    }

    var isReadable: Bool? { file.bytes == nil ? nil : true }

    var packetSizeUpperBound: Int { Int(format.mBytesPerPacket) }

    var averageBitRate: Double {
        if coding.access == .raw { return format.mSampleRate * Double(format.mBytesPerFrame) * 8 }
        guard let bytes = file.bytes, let frameCount, frameCount > 0 else { return 0 }
        return Double(bytes) * 8 * format.mSampleRate / Double(frameCount)
    }

    func countPackets() throws(AudioFileError) -> Int64 {
        if let frameCount { return frameCount }
        guard isSeekable else {
            throw AudioFileError(.notSeekable, "a pipe without a length cannot be read twice")
        }
        _ = skip(to: .max)
        frameCount = nextFrame
        return nextFrame
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        let frameBytes = Int(format.mBytesPerFrame)
        var frames = bytes.count / frameBytes
        guard frames > 0 else {
            throw AudioFileError(
                .bufferTooSmall, "a frame of \(frameBytes) bytes does not fit \(bytes.count)")
        }
        if let frameCount {
            guard packet < frameCount else {
                scanPages()
                return PacketRead(packets: 0, bytes: 0)
            }
            frames = Int(min(Int64(frames), frameCount - packet))
        }
        guard try move(to: packet) else { return PacketRead(packets: 0, bytes: 0) }
        let (got, isEnd) = unsafe readArrived(frames: frames, frameBytes: frameBytes, into: bytes)
        if isEnd, let frameCount, nextFrame < frameCount, !isShort {
            isShort = true
            warnings.append(
                "the audio ends at frame \(nextFrame) of \(frameCount)\(handle.failure.map { ": \($0)" } ?? "")"
            )
        }
        if got == 0 || nextFrame == frameCount { scanPages() }
        return PacketRead(packets: got, bytes: got * frameBytes)
    }

    /// Reports pages that the library skipped. Called at the end, because it reads the whole file.
    private func scanPages() {
        guard ending != nil, !isScanned else { return }
        isScanned = true
        for problem in OggPageScan(file: content).warnings.all { warnings.append(problem) }
    }

    /// Makes the library read a FLAC file with silence in place of undecodable parts. The caller must then move the
    /// library to a frame.
    ///
    /// - Returns: False if this does not help, or was already tried.
    func repair() -> Bool {
        guard isRepairable else { return false }
        isRepairable = false
        guard let flac = RepairedFLAC(file: content) else { return false }
        let replacement = VirtualFile(flac.bytes)
        guard let opened = try? SndFileHandle(virtualFile: replacement) else { return false }
        handle = opened
        virtualFile = replacement
        for warning in flac.warnings { warnings.append(warning) }
        return true
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        _ = try decodedFrame(frame, in: packetTable)
        guard isSeekable || frame >= nextFrame else {
            throw AudioFileError(.notSeekable, "it can only be read forwards")
        }
        return SeekPoint(packet: frame, framesToDiscard: 0)
    }

    /// The number of frames in the file; nil if the header has no count or the largest value.
    private static func frameCount(info: SF_INFO, coding: SndFileCoding, file: OpenFile) -> Int64? {
        let frameBytes = Int64(max(coding.format.mBytesPerFrame, 1))
        guard let fileBytes = file.bytes else {
            // Programs that write to a pipe use 0, 2^31 or 2^32, each less a header.
            let (bytes, overflow) = info.frames.multipliedReportingOverflow(by: frameBytes)
            return overflow || bytes <= 0 || bytes >= 0x7FFF_0000 ? nil : info.frames
        }
        // A FLAC encoder that wrote to a pipe could not seek back to write the count.
        guard info.frames < Int64.max else { return nil }
        guard coding.access == .raw else { return max(info.frames, 0) }
        return min(max(info.frames, 0), fileBytes / frameBytes)
    }

    private static func channelLabels(
        of handle: borrowing SndFileHandle, _ container: ContainerChunks?
    ) -> [AudioChannelLabel] {
        let channels = Int(handle.info.channels)
        if let labels = container?.format.channelLabels, labels.count == channels { return labels }
        // QUIRK: libsndfile 1.2 stores the layout of an AIFF file as given, and then copies entries for all channels,
        // beyond the layout's end.
        guard Int(handle.info.format) & SF_FORMAT_TYPEMASK != SF_FORMAT_AIFF else {
            return ChannelLabels.defaults(channels: channels)
        }
        // QUIRK: libsndfile 1.2 has no map for Vorbis and Opus, whose channels are in the order of Vorbis.
        if [SF_FORMAT_VORBIS, SF_FORMAT_OPUS].contains(Int(handle.info.format) & SF_FORMAT_SUBMASK) {
            return OggChannelOrder.labels(channels: channels)
        }
        var map = [CInt](repeating: 0, count: channels)
        let bytes = CInt(channels * MemoryLayout<CInt>.stride)
        let isKnown = unsafe sf_command(handle.pointer, CInt(SFC_GET_CHANNEL_MAP_INFO), &map, bytes) != 0
        return isKnown ? SndFileChannelMap.labels(of: map) : ChannelLabels.defaults(channels: channels)
    }
}
