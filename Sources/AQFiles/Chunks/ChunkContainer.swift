// SPDX-License-Identifier: MIT

/// A file type made of chunks: WAVE, AIFF and Wave64.
protocol ChunkContainer: PCMContainer {
    var layout: ChunkLayout { get set }

    /// Makes the chunks for metadata; nil if the file type has none.
    func textChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [AudioFileChunkContents]?
}

extension ChunkContainer {
    var header: HeaderBytes { layout.header }

    func trailer(dataBytes: Int64) -> [UInt8] { layout.trailer(dataBytes: dataBytes) }

    mutating func set(_ setting: FileSetting, isStream: Bool) throws(AudioFileError) {
        if case .chunks(let chunks) = setting { return try layout.setClientChunks(chunks) }
        var metadata = layout.metadata
        try metadata.set(setting, hasMarkers: true)
        guard let chunks = try textChunks(metadata) else { throw setting.refusal }
        layout.set(metadata, textChunks: chunks, isStream: isStream)
    }
}
