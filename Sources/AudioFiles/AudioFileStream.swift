public import CoreAudioTypes

/// Parses an audio file whose bytes come one after another, as from a network.
///
/// Bytes go in, in pieces of any size; properties and packets come out, by way of two closures that are called
/// from inside ``parse(_:isDiscontinuous:)``. Nothing is read, opened or decoded here. Memory is a block, the
/// packet that has not come whole yet, and those parts of the header that tell something, as far as they
/// really arrive.
///
/// Closures and not a result, because packets can then be handed out where they lie: a result that says where
/// would either hold copies, or borrow from the parser until the next call, which no caller could keep to.
/// They are given the stream, so that they need not hold it and keep it alive.
///
/// WAVE (with RF64), AIFF, AIFF-C, CAF, ADTS, MPEG audio, and MPEG-4 files whose index comes first. Used by one
/// thread at a time; the closures must not call its methods that parse or seek.
///
/// The corresponding C type is `AudioFileStreamID`.
public final class AudioFileStream {
    /// Told of each property when it becomes known, and at the end of those that only the end tells.
    ///
    /// The corresponding C type is `AudioFileStream_PropertyListenerProc`.
    public typealias PropertyHandler = (_ stream: AudioFileStream, _ property: Property) -> Void

    /// Given packets: their bytes, how many there are, and where each lies in these bytes, or nil if all have
    /// the one size of the format. Both are valid during the call only.
    ///
    /// The corresponding C type is `AudioFileStream_PacketsProc`.
    public typealias PacketsHandler = (
        _ stream: AudioFileStream, _ bytes: UnsafeRawBufferPointer, _ packetCount: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) -> Void

    let core: StreamCore
    private var isBusy = false

    /// Makes a parser that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - typeHint: The kind of file, if something outside tells; it decides only where the bytes do not.
    ///   - onProperty: Told of properties, first of the file type and the format, and last, before any packet,
    ///     of ``Property/readyToProducePackets``.
    ///   - onPackets: Given packets.
    ///
    /// The corresponding C function is `AudioFileStreamOpen`.
    public init(
        typeHint: AudioFileType? = nil, onProperty: @escaping PropertyHandler,
        onPackets: @escaping PacketsHandler
    ) {
        core = StreamCore(typeHint: typeHint)
        core.propertyFound = { [weak self] property in
            if let self { onProperty(self, property) }
        }
        unsafe core.packetsFound = { [weak self] bytes, packets, descriptions in
            if let self { unsafe onPackets(self, bytes, packets, descriptions) }
        }
    }

    /// Parses the next bytes. An incomplete packet is kept for the next call.
    ///
    /// - Parameters:
    ///   - bytes: Those that follow the ones before, or the ones that ``seek(toPacket:)`` asked for.
    ///   - isDiscontinuous: True if bytes are missing before these. The packet that was begun is dropped; MPEG audio
    ///     and ADTS find the next by themselves, and packets of one size are taken to begin just here. Of no meaning
    ///     for the first bytes, and between ``Property/readyToProducePackets``, a seek or a gap and the first packet
    ///     that comes then: there all bytes are taken to follow each other.
    /// - Throws: `unsupportedFileType`, `unsupportedDataFormat`, `invalidFile`, `notOptimized` or
    ///   `discontinuityCantRecover`, and the same again at each later call; `illegalOperation` inside a closure.
    ///
    /// The corresponding C function is `AudioFileStreamParseBytes`.
    public func parse(
        _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool = false
    ) throws(AudioFileStreamError) {
        try begin()
        defer { isBusy = false }
        // Where nothing came before, nothing is missing.
        // COMPAT: players raise the flag when packets may come, or when they seek, and lower it with the first packet:
        // it comes with whatever a network gives until then.
        if isDiscontinuous, core.hasBegun, !core.facts.isReady || !core.awaitsPacket { try core.passGap() }
        var start = 0
        repeat {
            let end = min(start + Self.blockBytes, bytes.count)
            unsafe core.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            while try core.advance() {}
            start = end
        } while start < bytes.count
    }

    /// Says that no more bytes will come, and hands out what is left.
    ///
    /// - Throws: `invalidFile` if the stream ended before its audio; otherwise as
    ///   ``parse(_:isDiscontinuous:)``.
    ///
    /// The corresponding C function is `AudioFileStreamParseBytes` with no bytes.
    public func finish() throws(AudioFileStreamError) {
        try begin()
        defer { isBusy = false }
        core.finish()
        while try core.advance() {}
    }

    /// Tells where the bytes of a packet begin, and takes those of the next call to begin there.
    ///
    /// - Returns: A place counted from the first byte of audio, at ``dataOffset``; and whether it is only near
    ///   the packet, as in MPEG audio and ADTS. The packets after an estimate begin at some packet near.
    /// - Throws: `dataUnavailable` before the audio, `invalidPacketOffset` for a packet that is not there,
    ///   `illegalOperation` inside a closure.
    ///
    /// The corresponding C function is `AudioFileStreamSeek`.
    public func seek(
        toPacket packet: Int64
    ) throws(AudioFileStreamError) -> (byteOffset: Int64, isEstimated: Bool) {
        try begin()
        defer { isBusy = false }
        let place = try core.seek(toPacket: packet)
        return (place.byteOffset, place.isEstimated)
    }

    /// Tells where the bytes of a packet begin, and changes nothing. Otherwise as ``seek(toPacket:)``.
    ///
    /// The corresponding C property is `kAudioFileStreamProperty_PacketToByte`.
    public func byteOffset(
        ofPacket packet: Int64
    ) throws(AudioFileStreamError) -> (byteOffset: Int64, isEstimated: Bool) {
        let place = try core.place(ofPacket: packet)
        return (place.byteOffset, place.isEstimated)
    }

    private func begin() throws(AudioFileStreamError) {
        guard !isBusy else {
            throw AudioFileStreamError(
                .illegalOperation, "cannot parse or seek from inside a closure of the same stream")
        }
        isBusy = true
    }

    /// Bytes of the caller's that are copied at once.
    private static let blockBytes = 64 << 10
}
