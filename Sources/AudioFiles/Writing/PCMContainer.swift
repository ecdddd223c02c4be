import CoreAudioTypes

/// The layout of linear PCM in a file type: a header of constant length, the samples, and perhaps a trailer.
protocol PCMContainer {
    /// The header of a file without samples.
    var header: HeaderBytes { get }
    /// The part of the header that depends on the number of samples; short, so that one write updates it.
    var renewedBytes: Range<Int> { get }
    /// The most bytes of samples that the fields can count; nil for no limit.
    var maximumDataBytes: Int64? { get }

    /// Updates the fields that depend on the contents after the header.
    ///
    /// - Parameter trailerBytes: 0 until the trailer has been written.
    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int)
    /// Sets these fields to values that readers take for an unknown length.
    func leaveOpen(_ header: inout HeaderBytes)
    /// The bytes after the samples of a complete file.
    func trailer(dataBytes: Int64) -> [UInt8]

    mutating func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError)
    mutating func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError)
    /// Sets all metadata of the file; replaces earlier metadata.
    ///
    /// - Parameter isStream: True if nothing can be written after the samples.
    mutating func setMetadata(_ metadata: FileMetadata, isStream: Bool) throws(AudioFileError)
    /// Sets all chunks of the client ahead of the samples; replaces earlier ones.
    mutating func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError)
    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError)
}

extension PCMContainer {
    mutating func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this file type cannot contain a magic cookie")
    }

    mutating func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "tags cannot be written to this file type")
    }

    mutating func setMetadata(_ metadata: FileMetadata, isStream: Bool) throws(AudioFileError) {
        guard metadata.artwork == nil else {
            throw AudioFileError(.unsupported, "this file type cannot contain a picture")
        }
        guard metadata.markers.isEmpty else {
            throw AudioFileError(.unsupported, "markers cannot be written to this file type")
        }
        guard metadata.regions.isEmpty else {
            throw AudioFileError(.unsupported, "regions cannot be written to this file type")
        }
        try setInformation(metadata.information)
    }

    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this file type cannot contain a packet table")
    }
}
