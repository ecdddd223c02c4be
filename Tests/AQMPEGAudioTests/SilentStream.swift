// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import Glibc
import AQTestSupport

@testable import AQMPEGAudio

/// MPEG audio of headers and zeros, which decodes to silence.
enum SilentStream {
    /// MPEG-1 layer III, 128 kbit/s, 44100 Hz, stereo: 417 bytes.
    static let layer3: UInt32 = 0xFFFB_9000
    /// MPEG-1 layer III, 128 kbit/s, 48000 Hz, stereo: 384 bytes.
    static let layer3At48: UInt32 = 0xFFFB_9400
    /// MPEG-2 layer III, 64 kbit/s, 22050 Hz, mono: 208 bytes.
    static let lowRate: UInt32 = 0xFFF3_80C0
    /// MPEG-1 layer II, 192 kbit/s, 44100 Hz, stereo: 626 bytes.
    static let layer2: UInt32 = 0xFFFD_A000
    /// MPEG-1 layer I, 384 kbit/s, 44100 Hz, stereo: 416 bytes.
    static let layer1: UInt32 = 0xFFFF_C000

    static func packet(_ bits: UInt32 = layer3) -> [UInt8] {
        let bytes = MPEGFrameHeader(bits: bits)?.packetBytes ?? 4
        return unsafe withUnsafeBytes(of: bits.bigEndian) { unsafe Array($0) }
            + [UInt8](repeating: 0, count: bytes - 4)
    }

    static func packets(_ count: Int, _ bits: UInt32 = layer3) -> [UInt8] {
        (0..<count).flatMap { _ in packet(bits) }
    }

    /// A packet with a Xing tag of all fields and LAME's extension.
    static func infoPacket(packets: UInt32, bytes: UInt32, delay: Int, padding: Int) -> [UInt8] {
        var result = packet()
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (place, byte) in bytes.enumerated() { result[offset + place] = byte }
        }
        put("Info".utf8, at: 36)
        put(big(15 as UInt32) + big(packets) + big(bytes), at: 40)
        put(big(57 as UInt32), at: 152)
        put("LAME3.100".utf8, at: 156)
        put([UInt8(delay >> 4), UInt8(delay & 15) << 4 | UInt8(padding >> 8), UInt8(padding & 255)], at: 177)
        return result
    }
}

/// Bytes in a file without a name.
final class TemporaryBytes {
    let descriptor: CInt
    let bytes: Int64

    init(_ bytes: [UInt8]) {
        self.bytes = Int64(bytes.count)
        guard let file = unsafe tmpfile() else { preconditionFailure("cannot make a temporary file") }
        descriptor = unsafe dup(fileno(file))
        unsafe fclose(file)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    func window() -> ByteWindow { ByteWindow(descriptor: descriptor, end: bytes) }
}
#endif
