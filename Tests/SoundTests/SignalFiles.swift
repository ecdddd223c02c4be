// SPDX-License-Identifier: MIT

import AQSoundHarness

/// Writes 16-bit stereo files at 48 kHz in the containers that ``WaveFile`` does not support, byte by byte,
/// independently of the tested code.
enum SignalFiles {
    static func aiff(_ sound: Recording) -> [UInt8] {
        let data = bigEndian(sound)
        var body = Array("AIFFCOMM".utf8) + number(18, bytes: 4)
        body += number(sound.channels, bytes: 2) + number(sound.frames, bytes: 4) + number(16, bytes: 2)
        // 48000 as an 80-bit extended number.
        body += [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
        body += Array("SSND".utf8) + number(data.count + 8, bytes: 4) + number(0, bytes: 8) + data
        return Array("FORM".utf8) + number(body.count, bytes: 4) + body
    }

    static func caf(_ sound: Recording) -> [UInt8] {
        let data = bigEndian(sound)
        var file = Array("caff".utf8) + number(1, bytes: 2) + number(0, bytes: 2)
        file += Array("desc".utf8) + number(32, bytes: 8)
        file += number(Int(Double(sound.sampleRate).bitPattern), bytes: 8) + Array("lpcm".utf8)
        // Flags of big-endian integers: none. Then bytes and frames a packet, channels, bits.
        for value in [0, 2 * sound.channels, 1, sound.channels, 16] { file += number(value, bytes: 4) }
        file += Array("data".utf8) + number(data.count + 4, bytes: 8) + number(0, bytes: 4)
        return file + data
    }

    private static func bigEndian(_ sound: Recording) -> [UInt8] {
        sound.samples.flatMap { number(Int($0 * 32768), bytes: 2) }
    }

    private static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }
}
