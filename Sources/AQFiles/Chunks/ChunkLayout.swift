// SPDX-License-Identifier: MIT

/// The chunks around the samples of a file being written, for all containers made of chunks.
///
/// The header is rewritten at every append, so long tags are placed after the samples.
struct ChunkLayout {
    /// The bytes up to the samples.
    private(set) var header: HeaderBytes
    private(set) var metadata = FileMetadata()

    private let grammar: ChunkGrammar
    /// The header before the client's chunks.
    private let lead: HeaderBytes
    /// The header of the audio chunk, and the start of its contents.
    private let soundHeader: [UInt8]
    private var textChunks: [UInt8] = []
    private var clientChunks: [UInt8] = []
    private var trailingChunks: [UInt8] = []
    private var isStream = false

    init(_ grammar: ChunkGrammar, lead: HeaderBytes, soundHeader: [UInt8]) {
        self.grammar = grammar
        self.lead = lead
        self.soundHeader = soundHeader
        header = lead
        layOut()
    }

    /// The size of the chunks after the samples, without padding.
    var trailingBytes: Int { trailingChunks.count }

    /// The chunks after the samples, with padding if necessary.
    func trailer(dataBytes: Int64) -> [UInt8] {
        (dataBytes % 2 == 0 ? [] : [0]) + trailingChunks
    }

    /// - Parameter isStream: True if nothing can be written after the samples.
    mutating func set(_ metadata: FileMetadata, textChunks: [AudioFileChunkContents], isStream: Bool) {
        self.metadata = metadata
        self.textChunks = grammar.bytes(of: textChunks)
        self.isStream = isStream
        layOut()
    }

    mutating func setClientChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        clientChunks = try ChunkMetadata.leading(chunks, behind: lead, in: grammar)
        layOut()
    }

    private mutating func layOut() {
        let leadingBytes = lead.count + clientChunks.count + textChunks.count
        let isInFront = isStream || leadingBytes <= ChunkMetadata.mostLeadingBytes
        header = lead
        header.append(raw: (isInFront ? textChunks : []) + clientChunks + soundHeader)
        trailingChunks = isInFront ? [] : textChunks
    }
}
