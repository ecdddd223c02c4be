// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The format that a file's chunks declare.
struct ContainerFormat {
    /// The file type; nil for IFF files of other types, such as 8SVX.
    let fileType: AudioFileType?
    let grammar: ChunkGrammar

    /// Whether the chunk with the format was found.
    private(set) var isFound = false
    /// The name of a coding that libsndfile cannot read: "WAVE format 0x0161", "AIFF-C type 'QDM2'".
    private(set) var codingName: String?
    /// The channel labels in AIFF; empty if there are none.
    private(set) var channelLabels: [AudioChannelLabel] = []
    /// The number of frames that an AIFF header states.
    private(set) var countedFrames: Int64?
    /// The contents of the chunk 'fmt '.
    private(set) var bytes: [UInt8] = []
    private(set) var blocks: BlockCoding?
    /// The patches that make libsndfile recognise the samples of AIFF-C.
    private(set) var patches: [VirtualFile.Patch] = []

    /// The sampling rate in the header, valid or not.
    private var sampleRate: Double?
    private var channels: Int?

    init(_ fileType: AudioFileType?, _ grammar: ChunkGrammar) {
        self.fileType = fileType
        self.grammar = grammar
    }

    /// The sampling rate of AIFF, which may be fractional; nil for other files.
    var exactRate: Double? { grammar == .aiff ? sampleRate : nil }

    /// The error for an unusable value of the format; nil if there is none.
    var fault: AudioFileError? {
        FormatLimits.fault(sampleRate: sampleRate, channels: channels).map {
            AudioFileError(.unsupported, "its header gives \($0)")
        }
    }

    /// Reads a chunk, if it describes the format.
    mutating func read(_ chunk: ChunkWalk.Chunk, in file: OpenFile) {
        func contents(_ most: Int) -> [UInt8]? { file.contents(of: chunk, atMost: most) }
        switch chunk.name {
        case "fmt " where !isFound:
            bytes = contents(Self.mostFormatBytes) ?? []
            readWave(FieldReader(bytes: bytes, isBigEndian: grammar.isBigEndian))
        case "fact":
            let fields = FieldReader(bytes: contents(4) ?? [], isBigEndian: grammar.isBigEndian)
            if let frames = fields.uint32(at: 0) { blocks?.countedFrames = Int64(frames) }
        case "COMM":
            readCommon(
                FieldReader(bytes: contents(22) ?? [], isBigEndian: true), at: chunk.contents.lowerBound)
        case "CHAN" where grammar == .aiff:
            // Enough for the maximum number of channels.
            let layout = contents(12 + FormatLimits.channels.upperBound * 20)
            if let labels = layout.flatMap({ try? CAFChannelLayout.labels($0) }) { channelLabels = labels }
        default: break
        }
    }

    private mutating func readWave(_ fields: FieldReader) {
        isFound = true
        guard let tag = fields.uint16(at: 0), let rate = fields.uint32(at: 4) else { return }
        channels = fields.uint16(at: 2).map { Int($0) }
        sampleRate = Double(rate)
        if !Self.readTags.contains(tag) {
            let digits = String(tag, radix: 16, uppercase: true)
            codingName = "WAVE format 0x\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
        }
        if !fields.isBigEndian { blocks = BlockCoding(format: fields.bytes) }
    }

    private mutating func readCommon(_ fields: FieldReader, at offset: Int64) {
        isFound = true
        guard let rate = fields.float80(at: 8) else { return }
        channels = fields.uint16(at: 0).map { Int($0) }
        countedFrames = fields.uint32(at: 2).map { Int64($0) }
        sampleRate = rate
        guard fileType == .aiffC, let code = fields.uint32(at: 18) else { return }
        codingName = "AIFF-C type \(FourCharacterCode(rawValue: code))"
        patches += AIFFCoding.patches(common: fields.bytes, at: offset)
    }

    /// The format tags of PCM, A-law and µ-law, ADPCM of all types, GSM, MPEG audio, and the extensible format.
    private static let readTags: Set<UInt16> = [1, 2, 3, 6, 7, 0x11, 0x14, 0x31, 0x38, 0x40, 0x55, 0xFFFE]
    /// The largest size read of a WAVE format: more than that of Microsoft's ADPCM with its coefficients.
    private static let mostFormatBytes = 4096
}

extension OpenFile {
    /// Reads the first bytes of a chunk's contents, as many as it has; nil if the file ends before them.
    func contents(of chunk: ChunkWalk.Chunk, atMost most: Int) -> [UInt8]? {
        whole(at: chunk.contents.lowerBound, count: min(chunk.contents.count, most))
    }
}
