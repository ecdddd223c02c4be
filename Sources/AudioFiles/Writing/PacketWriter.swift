import CoreAudioTypes

/// The interface of each container's and encoder's writer for ``AudioFileWriter``. Messages of errors begin after
/// "cannot write 'path': ".
///
/// The writer owns its ``OutputFile``. Releasing it without ``close()`` leaves the file as it is on disk.
protocol PacketWriter: AnyObject {
    /// The frames counted by the header on disk; for a stream, or a header without a count, the frames written.
    var frameCount: Int64 { get }
    /// The current size of the file.
    var byteCount: Int64 { get }
    /// The most frames the container can hold; nil if it has no limit.
    var maximumFrameCount: Int64? { get }

    /// Appends whole packets. After a failure of the system every later call throws the same error.
    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError)
    /// Overwrites appended bytes, at an offset relative to the first packet.
    func overwrite(_ bytes: UnsafeRawBufferPointer, at byteOffset: Int64) throws(AudioFileError)
    /// Removes all but the first of the appended bytes.
    func shorten(toBytes bytes: Int64) throws(AudioFileError)
    func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError)
    func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError)
    func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError)
    func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError)
    func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError)
    /// Sets all chunks of the client ahead of the audio.
    func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError)
    func setPacketTable(_ table: PacketTable) throws(AudioFileError)
    /// Completes and closes the file; called once. Does not throw a failure that `append` has thrown before.
    func close() throws(AudioFileError)
}

extension PacketWriter {
    func overwrite(_ bytes: UnsafeRawBufferPointer, at byteOffset: Int64) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the packets of this file type cannot be overwritten")
    }

    func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the packets of this file type cannot be removed")
    }

    func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "tags cannot be written to this file type")
    }

    func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this file type cannot contain a picture")
    }

    func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "markers cannot be written to this file type")
    }

    func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "regions cannot be written to this file type")
    }

    func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this file type does not consist of chunks")
    }
}
