// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A parser of an audio file that arrives in pieces, as from a network.
///
/// The client passes bytes in pieces of any size, and receives properties and packets through two closures, which are
/// called within ``parse(_:isDiscontinuous:)``. The parser opens no file and decodes nothing. Memory use is limited to
/// a block, one incomplete packet, and the needed parts of the header that have arrived.
///
/// Packets are passed to a closure, not returned: a result would have to contain copies, or pointers that the next call
/// makes invalid. The closures get the stream as an argument, so that they do not retain the stream.
///
/// Supports WAVE (with RF64), AIFF, AIFF-C, CAF, ADTS, MPEG audio, and MPEG-4 files whose index comes first. Used by
/// one thread at a time; the closures must not call methods that parse or seek.
///
/// The corresponding C type is `AudioFileStreamID`.
public final class AudioFileStream {
    /// A closure called for each property that becomes known. At the end of the stream it is also called for properties
    /// that only the end provides.
    ///
    /// The corresponding C type is `AudioFileStream_PropertyListenerProc`.
    public typealias PropertyHandler = (_ stream: AudioFileStream, _ property: Property) -> Void

    /// A closure called with packets: their bytes, their number, and the position of each packet in the bytes. The
    /// positions are nil if all packets have the constant size of the format. Both pointers are valid only during the
    /// call.
    ///
    /// The corresponding C type is `AudioFileStream_PacketsProc`.
    public typealias PacketsHandler = (
        _ stream: AudioFileStream, _ bytes: UnsafeRawBufferPointer, _ packetCount: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) -> Void

    let core: StreamCore
    private var isBusy = false
    /// The error that ended parsing; nil if there was none.
    private var failure: AudioFileStreamError?

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - typeHint: The file type, if the client has it from another source; used only if the bytes do not determine
    ///     the type.
    ///   - onProperty: Called for properties: first for the file type and the format, and last, before any packet, for
    ///     ``Property/readyToProducePackets``.
    ///   - onPackets: Called with packets.
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
    ///   - bytes: The bytes after the previous ones, or those at the offset returned by ``seek(toPacket:)``.
    ///   - isDiscontinuous: True if bytes are missing before these. The incomplete packet is dropped; MPEG audio and
    ///     ADTS resynchronise, and a packet of constant size is assumed to begin at the first byte. Ignored for the
    ///     stream's first bytes. After ``Property/readyToProducePackets``, a seek or a gap, it is ignored until the
    ///     next packet: there all bytes are assumed to be consecutive.
    /// - Throws: `unsupportedFileType`, `unsupportedDataFormat`, `invalidFile`, `notOptimized` or
    ///   `discontinuityCantRecover`, each also in every later call; `illegalOperation` within a closure.
    ///
    /// The corresponding C function is `AudioFileStreamParseBytes`.
    public func parse(
        _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool = false
    ) throws(AudioFileStreamError) {
        try begin()
        defer { isBusy = false }
        // Before the first bytes nothing is missing.
        // COMPAT: players set the flag once packets may come, or on a seek, and clear the flag with the first packet.
        // Until then they pass the flag with all bytes that a network delivers.
        if isDiscontinuous, core.hasBegun, !core.facts.isReady || !core.awaitsPacket {
            do { try core.passGap() } catch { throw fail(error) }
        }
        var start = 0
        repeat {
            let end = min(start + Self.blockBytes, bytes.count)
            unsafe core.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            try advance()
            start = end
        } while start < bytes.count
    }

    /// Ends the stream, and passes on the remaining packets.
    ///
    /// - Throws: `invalidFile` if the stream ended before its audio; otherwise the errors of
    ///   ``parse(_:isDiscontinuous:)``.
    ///
    /// The corresponding C function is `AudioFileStreamParseBytes` with no bytes.
    public func finish() throws(AudioFileStreamError) {
        try begin()
        defer { isBusy = false }
        core.finish()
        try advance()
    }

    /// Finds the offset of a packet; the next call must pass the bytes from that offset on.
    ///
    /// - Returns: An offset relative to the first byte of audio, at ``dataOffset``; and whether it is an estimate, as
    ///   in MPEG audio and ADTS. After an estimate, parsing continues with a packet near the requested one.
    /// - Throws: `dataUnavailable` before the audio, `invalidPacketOffset` for a packet that does not exist or cannot
    ///   be located, as in fragmented MPEG-4, `illegalOperation` within a closure, and the error that ended parsing.
    ///
    /// The corresponding C function is `AudioFileStreamSeek`.
    public func seek(
        toPacket packet: Int64
    ) throws(AudioFileStreamError) -> (byteOffset: Int64, isEstimated: Bool) {
        try begin()
        defer { isBusy = false }
        let position = try core.seek(toPacket: packet)
        return (position.byteOffset, position.isEstimated)
    }

    /// Finds the offset of a packet as ``seek(toPacket:)`` does, but does not move the position.
    ///
    /// - Throws: `dataUnavailable` before the audio, `invalidPacketOffset` for a packet that does not exist or cannot
    ///   be located.
    ///
    /// The corresponding C property is `kAudioFileStreamProperty_PacketToByte`.
    public func byteOffset(
        ofPacket packet: Int64
    ) throws(AudioFileStreamError) -> (byteOffset: Int64, isEstimated: Bool) {
        let position = try core.position(ofPacket: packet)
        return (position.byteOffset, position.isEstimated)
    }

    private func begin() throws(AudioFileStreamError) {
        guard !isBusy else {
            throw AudioFileStreamError(
                .illegalOperation, "cannot parse or seek from inside a closure of the same stream")
        }
        if let failure { throw failure }
        isBusy = true
    }

    private func advance() throws(AudioFileStreamError) {
        do { while try core.advance() {} } catch { throw fail(AudioFileStreamError(error)) }
    }

    private func fail(_ error: AudioFileStreamError) -> AudioFileStreamError {
        failure = error
        return error
    }

    /// The largest number of the caller's bytes that are copied at once.
    private static let blockBytes = 64 << 10
}
