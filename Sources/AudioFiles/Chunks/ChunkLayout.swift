/// The chunks around the samples of a file that is written: what all such files share.
///
/// The header is written anew at every append, so that long texts stand behind the samples.
struct ChunkLayout {
    /// Up to the samples.
    private(set) var header: HeaderBytes

    private let grammar: ChunkGrammar
    /// The header up to where chunks of the client's may stand.
    private let lead: HeaderBytes
    /// The header of the chunk of the samples, and what its contents begin with.
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

    /// Bytes behind the samples, but for padding.
    var trailingBytes: Int { trailingChunks.count }

    /// What stands behind the samples.
    func trailer(dataBytes: Int64) -> [UInt8] {
        (dataBytes % 2 == 0 ? [] : [0]) + trailingChunks
    }

    /// - Parameter isStream: True if nothing can be told behind the samples.
    mutating func setTextChunks(_ chunks: [UInt8], isStream: Bool) {
        textChunks = chunks
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
