// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    /// Audio of real encoders, decoded again.
    @Suite("Recorded sound") struct EncodedSoundTests {
        struct Codec: CustomTestStringConvertible, Sendable {
            var name: String
            var formatID: AudioFormatID
            /// The least signal-to-noise ratio in decibels; nil if every sample is the same.
            var decibels: Double?
            var testDescription: String { name }
        }

        static let codecs: [Codec] = {
            var codecs = [
                Codec(name: "µ-law", formatID: kAudioFormatULaw, decibels: 30),
                Codec(name: "A-law", formatID: kAudioFormatALaw, decibels: 30),
            ]
            #if HAVE_AV_CODECS
            codecs += [
                Codec(name: "AAC", formatID: kAudioFormatMPEG4AAC, decibels: 25),
                Codec(name: "Apple Lossless", formatID: kAudioFormatAppleLossless, decibels: nil),
                Codec(name: "IMA 4:1", formatID: kAudioFormatAppleIMA4, decibels: 25),
                Codec(name: "MP3", formatID: kAudioFormatMPEGLayer3, decibels: 25),
            ]
            #endif
            return codecs
        }()

        static let frames = 48_000

        /// Two tones, one a channel, as 16-bit samples.
        static let tones: [Int16] = (0..<frames).flatMap { [tone(440, at: $0), tone(1000, at: $0)] }

        private static func tone(_ hertz: Double, at frame: Int) -> Int16 {
            let phase = Double(frame) * hertz * 2 * .pi / 48_000
            return Int16((sin(phase) * 12_000).rounded())
        }

        /// The frames as the queue's encoder takes them.
        static func captured(as format: SampleFormat) -> [UInt8] {
            switch format.encoding {
            case .float32:
                let samples = tones.map { Float($0) / 32_768 }
                return unsafe samples.withUnsafeBytes { unsafe Array($0) }
            case .signed32:
                let samples = tones.map { Int32($0) << 16 }
                return unsafe samples.withUnsafeBytes { unsafe Array($0) }
            default: return unsafe tones.withUnsafeBytes { unsafe Array($0) }
            }
        }

        static func decode(_ packets: [[UInt8]], _ queue: InputQueue) throws -> [Float] {
            let decoder = try makePacketDecoder(for: queue.format, magicCookie: queue.magicCookie)
            let output = decoder.outputFormat
            let converter = try LinearPCMConverter(
                from: output, to: .float(channels: 2, sampleRate: output.mSampleRate))
            var samples: [Float] = []
            for packet in packets {
                var bytes = [UInt8](
                    repeating: 0, count: decoder.maximumFramesPerPacket * Int(output.mBytesPerFrame))
                let frames = try unsafe packet.withUnsafeBytes { packet in
                    try unsafe bytes.withUnsafeMutableBytes { try unsafe decoder.decode(packet, into: $0) }
                }
                var floats = [Float](repeating: 0, count: frames * 2)
                _ = try unsafe bytes.prefix(frames * Int(output.mBytesPerFrame)).withUnsafeBytes { bytes in
                    try unsafe floats.withUnsafeMutableBytes { try unsafe converter.convert(bytes, into: $0) }
                }
                samples += floats
            }
            return samples
        }

        @Test("without priming and remainder, the captured audio is returned", arguments: codecs)
        func roundTrip(codec: Codec) throws {
            let packets = Seen<[UInt8]>()
            let device = ManualSource()
            let queue = try InputQueue(
                format: .encoded(codec.formatID, framesPerPacket: 0, channels: 2, sampleRate: 48_000),
                device: device, configuration: .init(codecSettings: .init(bitRate: 192_000))
            ) { queue, buffer, info in
                let bytes = unsafe Array(buffer.bytes.prefix(buffer.byteCount))
                let descriptions = unsafe Array(
                    buffer.packetDescriptions.prefix(buffer.packetDescriptionCount))
                if queue.format.hasConstantPacketSize {
                    let packetBytes = Int(queue.format.mBytesPerPacket)
                    for start in stride(from: 0, to: bytes.count, by: packetBytes) {
                        packets.add(Array(bytes[start..<start + packetBytes]))
                    }
                } else {
                    expectEqual(descriptions.count, info.packetCount)
                }
                for packet in descriptions {
                    let start = Int(packet.mStartOffset)
                    packets.add(Array(bytes[start..<start + Int(packet.mDataByteSize)]))
                }
                try? queue.enqueue(buffer)
            }
            let size = InputQueue.deriveBufferSize(
                format: queue.format, maximumPacketSize: queue.maximumOutputPacketSize, seconds: 0.2)
            for _ in 0..<6 { try queue.enqueue(queue.allocateBuffer(byteCapacity: size.bufferByteCount)) }
            try queue.start()
            let bytes = Self.captured(as: queue.core.deviceFormat)
            let pieceBytes = 1000 * queue.core.deviceFormat.bytesPerFrame
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                unsafe bytes[start..<min(start + pieceBytes, bytes.count)].withUnsafeBytes {
                    unsafe device.capture($0)
                }
                // No faster than encoding, or frames would be lost: at most half a second is held.
                let capturedFrames = start / queue.core.deviceFormat.bytesPerFrame
                #expect(
                    eventually {
                        packets.all.count * Int(queue.format.mFramesPerPacket) >= capturedFrames - 24_000
                    })
            }
            try queue.stop(immediate: true)
            expectEqual(queue.overrunCount, 0)
            let decoded = try Self.decode(packets.all, queue)
            // Counted as in a packet table: a decoder may return fewer frames of a short packet.
            let frames = packets.all.count * Int(queue.format.mFramesPerPacket)
            expectEqual(frames - queue.primingFrames - queue.remainderFrames, Self.frames)
            let played = decoded.dropFirst(queue.primingFrames * 2).prefix(Self.tones.count)
            expectEqual(played.count, Self.tones.count)
            var (signal, noise) = (0.0, 0.0)
            for (sample, tone) in zip(played, Self.tones) {
                let wanted = Double(tone) / 32_768
                signal += wanted * wanted
                noise += (Double(sample) - wanted) * (Double(sample) - wanted)
            }
            if let decibels = codec.decibels {
                #expect(10 * log10(signal / noise) > decibels)
            } else {
                expectEqual(noise, 0)
            }
        }

        @Test("a format without an encoder is refused, with the reason")
        func refused() {
            #expect {
                try InputQueue(
                    format: .encoded(
                        kAudioFormatMPEGLayer3, framesPerPacket: 0, channels: 7, sampleRate: 48_000),
                    device: ManualSource()
                ) { _, _, _ in }
            } throws: { error in
                (error as? QueueError)?.code == .codecNotFound && "\(error)".contains("cannot encode")
            }
        }

        @Test("rate and channels that are 0 are the device's own")
        func native() throws {
            let queue = try InputQueue(
                format: .encoded(kAudioFormatULaw, framesPerPacket: 0, channels: 0, sampleRate: 0),
                device: ManualSource(sampleRate: 44_100, channels: 1)
            ) { _, _, _ in }
            expectEqual(queue.format.mSampleRate, 44_100)
            expectEqual(queue.format.mChannelsPerFrame, 1)
            expectEqual(queue.format.mBytesPerPacket, 1)
            expectEqual(queue.primingFrames, 0)
        }
    }
}
