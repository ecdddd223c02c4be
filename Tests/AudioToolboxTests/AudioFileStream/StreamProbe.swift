// SPDX-License-Identifier: MIT

import AQToolboxFunctions
import CAQAudioToolbox
import CoreAudioTypes
import AQMagicCookies
import AQTestSupport

/// A client of a stream that keeps its output.
@safe final class StreamProbe {
    private(set) var handle: AudioFileStreamID?
    private(set) var openStatus: OSStatus = noErr
    var properties: [AudioFileStreamPropertyID] = []
    var flags: [AudioFileStreamPropertyFlags] = []
    var bytes: [UInt8] = []
    /// Bytes of each packet with a description.
    var sizes: [UInt32] = []
    var packets = 0
    /// The action inside the procedures.
    var onProperty: (StreamProbe, AudioFileStreamPropertyID) -> Void = { _, _ in }
    var onPackets: (StreamProbe) -> Void = { _ in }

    init(typeHint: AudioFileTypeID = 0) {
        var opened: AudioFileStreamID?
        openStatus = unsafe AudioFileStreamOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { data, _, property, ioFlags in
                let probe = unsafe Unmanaged<StreamProbe>.fromOpaque(data).takeUnretainedValue()
                probe.properties.append(property)
                unsafe probe.flags.append(ioFlags.pointee)
                // An owner that keeps nothing clears all.
                unsafe ioFlags.pointee = []
                probe.onProperty(probe, property)
            },
            { data, byteCount, packets, input, descriptions in
                let probe = unsafe Unmanaged<StreamProbe>.fromOpaque(data).takeUnretainedValue()
                unsafe probe.bytes += UnsafeRawBufferPointer(start: input, count: Int(byteCount))
                probe.packets += Int(packets)
                if let descriptions = unsafe descriptions {
                    for packet in 0..<Int(packets) {
                        unsafe probe.sizes.append(descriptions[packet].mDataByteSize)
                    }
                }
                probe.onPackets(probe)
            },
            typeHint, &opened)
        unsafe handle = opened
    }

    deinit { unsafe _ = audioFileStreamClose(handle) }

    @discardableResult
    func parse(_ bytes: [UInt8], _ flags: AudioFileStreamParseFlags = []) -> OSStatus {
        unsafe bytes.withUnsafeBytes {
            unsafe audioFileStreamParseBytes(handle, UInt32($0.count), $0.baseAddress, flags)
        }
    }

    /// Parses in pieces, until one fails.
    func parse(_ bytes: [UInt8], pieceBytes: Int) -> OSStatus {
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            let status = parse(Array(bytes[start..<min(start + pieceBytes, bytes.count)]))
            guard status == noErr else { return status }
        }
        return noErr
    }

    @discardableResult
    func finish() -> OSStatus { unsafe audioFileStreamParseBytes(handle, 0, nil, []) }

    func close() -> OSStatus { unsafe audioFileStreamClose(handle) }

    /// The size of a property, and the result of the query.
    func size(_ property: AudioFileStreamPropertyID) -> (status: OSStatus, bytes: UInt32, isWritable: Bool) {
        var bytes: UInt32 = 0
        var isWritable = true
        let status = unsafe audioFileStreamGetPropertyInfo(handle, property, &bytes, &isWritable)
        return (status, bytes, isWritable)
    }

    /// The value of a property, or the result of the query.
    func value<Value: BitwiseCopyable>(
        _ property: AudioFileStreamPropertyID, _ start: Value
    ) -> Result<Value, ProbeFailure> {
        var value = start
        var bytes = UInt32(MemoryLayout<Value>.size)
        let status = unsafe audioFileStreamGetProperty(handle, property, &bytes, &value)
        return status == noErr ? .success(value) : .failure(ProbeFailure(status: status))
    }

    /// The status of a property query, with a given size of memory.
    func status(_ property: AudioFileStreamPropertyID, roomBytes: Int = 4096) -> OSStatus {
        var memory = [UInt8](repeating: 0, count: max(roomBytes, 1))
        var bytes = UInt32(roomBytes)
        return unsafe audioFileStreamGetProperty(handle, property, &bytes, &memory)
    }

    func seek(to packet: Int64) -> (status: OSStatus, byte: Int64, flags: AudioFileStreamSeekFlags) {
        var byte: Int64 = -1
        var flags: AudioFileStreamSeekFlags = []
        let status = unsafe audioFileStreamSeek(handle, packet, &byte, &flags)
        return (status, byte, flags)
    }
}

/// The status that a function returned instead of a value.
struct ProbeFailure: Error, Equatable {
    var status: OSStatus
}

/// Small files, made byte by byte.
enum StreamBytes {
    /// 16-bit samples of two channels; all frames differ.
    static func samples(frames: Int) -> [UInt8] { numbers(frames: frames).flatMap { little($0) } }

    private static func numbers(frames: Int) -> [Int16] {
        (0..<frames).flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: -$0)] }
    }

    /// A WAVE file of a 44-byte header and samples.
    static func wave(frames: Int) -> [UInt8] {
        RIFFBytes.wave(numbers(frames: frames), channels: 2, sampleRate: 44_100)
    }

    /// A fake packet of AAC: nothing here decodes it.
    static func aacPacket(_ number: Int) -> [UInt8] {
        [0x21] + (1..<100 + number % 50).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) & 0x7F }
    }

    /// Packets with their ADTS headers.
    static func adts(_ numbers: Range<Int>) throws -> [UInt8] {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        return try numbers.flatMap { number in
            let packet = aacPacket(number)
            return try ADTSHeader.bytes(for: config, packetBytes: packet.count) + packet
        }
    }
}
