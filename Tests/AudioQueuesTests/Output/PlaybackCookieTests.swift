// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import AQDevices
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    /// Packets of codecs with a cookie, and of many or few frames.
    @Suite("Playing packets with cookies") struct PlaybackCookieTests {
        /// Packets of a tone, with their cookie.
        struct Tone {
            var source: PacketSource
            let magicCookie: [UInt8]
            let bits: Int

            init(_ formatID: AudioFormatID, bits: Int = 16) throws {
                let encoder = try makePacketEncoder(
                    for: .encoded(formatID, framesPerPacket: 0, channels: 1, sampleRate: 48_000),
                    settings: .init(bitDepth: bits))
                let input = encoder.inputFormat
                let converter = try LinearPCMConverter(
                    from: .float(channels: 1, sampleRate: 48_000), to: input)
                let tone = (0..<20_000).map { Float(sin(Double($0) / 20)) * 0.7 }
                var pcm = [UInt8](repeating: 0, count: tone.count * Int(input.mBytesPerFrame))
                _ = try unsafe tone.withUnsafeBytes { tone in
                    try unsafe pcm.withUnsafeMutableBytes { try unsafe converter.convert(tone, into: $0) }
                }
                try unsafe pcm.withUnsafeBytes { try unsafe encoder.append($0) }
                try encoder.finish()
                source = PacketSource(format: encoder.outputFormat)
                magicCookie = encoder.magicCookie
                self.bits = bits
                var room = [UInt8](repeating: 0, count: encoder.maximumPacketSize)
                while let packet = try unsafe room.withUnsafeMutableBytes({
                    try unsafe encoder.nextPacket(into: $0)
                }) {
                    source.packets.append(Array(room.prefix(packet.bytes)))
                }
            }

            /// The packets decoded in a queue's encoding.
            func decoded(as output: AudioStreamBasicDescription) throws -> [UInt8] {
                let decoder = try makePacketDecoder(for: source.format, magicCookie: magicCookie)
                let converter = try LinearPCMConverter(from: decoder.outputFormat, to: output)
                let frameBytes = Int(decoder.outputFormat.mBytesPerFrame)
                var all: [UInt8] = []
                for packet in source.packets {
                    var room = [UInt8](repeating: 0, count: decoder.maximumFramesPerPacket * frameBytes)
                    let frames = try unsafe packet.withUnsafeBytes { input in
                        try unsafe room.withUnsafeMutableBytes { try unsafe decoder.decode(input, into: $0) }
                    }
                    var converted = [UInt8](repeating: 0, count: frames * Int(output.mBytesPerFrame))
                    _ = try unsafe room.prefix(frames * frameBytes).withUnsafeBytes { room in
                        try unsafe converted.withUnsafeMutableBytes {
                            try unsafe converter.convert(room, into: $0)
                        }
                    }
                    all += converted
                }
                return all
            }
        }

        static let formats = [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4]

        /// Plays a tone in buffers of seven packets, trimmed at both ends, and compares the output.
        private func play(_ tone: Tone, format: AudioStreamBasicDescription, setsCookieLate: Bool) throws {
            let rig = try Rig(format: format)
            if !setsCookieLate { try rig.queue.setMagicCookie(tone.magicCookie) }
            let last = tone.source.packets.count
            for start in stride(from: 0, to: last, by: 7) {
                try tone.source.enqueue(
                    start..<min(start + 7, last), on: rig.queue, trimStart: start == 0 ? 70 : 0,
                    trimEnd: start + 7 >= last ? 33 : 0)
            }
            if setsCookieLate { try rig.queue.setMagicCookie(tone.magicCookie) }
            expectEqual(rig.queue.magicCookie, tone.magicCookie)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
            let output = try #require(rig.queue.core.cursor).outputFormat
            let packetFrames = Int(tone.source.format.mFramesPerPacket)
            let expected = try tone.decoded(as: output)
            // Trims at the end count the nominal frames of packets.
            let frames = min(expected.count / frameBytes, packetFrames * last - 33)
            let wanted = Array(expected[(70 * frameBytes)..<(frames * frameBytes)])
            let played = rig.renderDecoded(frameBytes: frameBytes, frames: wanted.count / frameBytes)
            expectEqual(difference(played, wanted), nil)
            #expect(eventually { !rig.queue.isRunning })
            expectEqual(rig.queue.damagedPacketCount, 0)
            expectEqual(rig.queue.underrunCount, 0)
        }

        @Test(
            "packets play as their decoder decodes them, with the cookie set before or after they were enqueued",
            arguments: formats, [false, true])
        func cookie(formatID: AudioFormatID, setsCookieLate: Bool) throws {
            let tone = try Tone(formatID)
            try play(tone, format: tone.source.format, setsCookieLate: setsCookieLate)
        }

        @Test("a cookie with more bits than the format keeps them all", arguments: [16, 24])
        func bits(bits: Int) throws {
            let tone = try Tone(kAudioFormatAppleLossless, bits: bits)
            var format = tone.source.format
            format.mFormatFlags = 0
            try play(tone, format: format, setsCookieLate: true)
        }

        @Test("a wrong cookie is refused with the reason, and the queue is unchanged")
        func wrongCookie() throws {
            let tone = try Tone(kAudioFormatAppleLossless)
            let rig = try Rig(format: tone.source.format)
            try rig.queue.setMagicCookie(tone.magicCookie)
            for wrong in [[1, 2, 3], Array(tone.magicCookie.dropLast(5))] as [[UInt8]] {
                expectEqual(code { try rig.queue.setMagicCookie(wrong) }, .invalidPropertyValue)
            }
            expectEqual(rig.queue.magicCookie, tone.magicCookie)
            expectEqual(
                code {
                    _ = try OutputQueue(
                        format: tone.source.format, magicCookie: [1, 2, 3], device: ManualDevice()
                    ) { _, _ in }
                }, .invalidPropertyValue)
        }

        @Test("a damaged packet is silent for its length, and counted")
        func damage() throws {
            var tone = try Tone(kAudioFormatAppleLossless)
            tone.source.packets[1] = [UInt8](repeating: 0xFF, count: 40)
            let rig = try Rig(format: tone.source.format)
            try rig.queue.setMagicCookie(tone.magicCookie)
            try tone.source.enqueue(0..<tone.source.packets.count, on: rig.queue)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            let expected = try tone.decoded(as: try #require(rig.queue.core.cursor).outputFormat)
            let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
            let played = rig.renderDecoded(frameBytes: frameBytes, frames: expected.count / frameBytes)
            expectEqual(difference(played, expected), nil)
            #expect(played[(4096 * frameBytes)..<(8192 * frameBytes)].allSatisfy { $0 == 0 })
            expectEqual(rig.queue.damagedPacketCount, 1)
        }
    }
}
#endif
