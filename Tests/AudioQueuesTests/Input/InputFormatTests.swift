// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Recording formats") struct InputFormatTests {
        /// Converts `captured`, in the device's format, with a queue of `format`.
        func record<Sample>(_ captured: [Sample], as format: AudioStreamBasicDescription) throws -> [UInt8] {
            let rig = try InputRig(format: format)
            let frames = captured.count / Int(format.mChannelsPerFrame)
            let buffer = try rig.enqueue(frames: frames)
            try rig.queue.start()
            rig.capture(samples: captured)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.log.all.first?.info.packetCount, frames)
            expectEqual(rig.log.all.first?.buffer, buffer)
            return rig.log.all.flatMap(\.bytes)
        }

        func bytes<Value>(_ values: [Value]) -> [UInt8] { unsafe values.withUnsafeBytes { unsafe Array($0) } }

        @Test("samples in the device's own format are not converted")
        func direct() throws {
            for format in [
                AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 44100),
                .signedInteger(bits: 24, isBigEndian: true, channels: 1, sampleRate: 48000),
                .unsignedInteger(bits: 8, channels: 1, sampleRate: 8000),
                .float(isBigEndian: true, channels: 1, sampleRate: 48000),
            ] {
                let queue = try InputQueue(format: format, device: ManualSource()) { _, _, _ in }
                #expect(queue.core.converter == nil)
            }
            let samples = try record(
                [0x0102, -2] as [Int16],
                as: .signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 44100))
            expectEqual(samples, [1, 2, 0xFF, 0xFE])
        }

        @Test("signed bytes are converted from unsigned ones")
        func signedBytes() throws {
            let recorded = try record(
                [0, 127, 128, 255] as [UInt8], as: .signedInteger(bits: 8, channels: 2, sampleRate: 48000))
            expectEqual(recorded, bytes([-128, -1, 0, 127] as [Int8]))
        }

        @Test("64-bit floats are converted from 32 bits")
        func wideFloats() throws {
            let recorded = try record(
                [0.5, -0.25, 1.5] as [Float], as: .float(bits: 64, channels: 1, sampleRate: 48000))
            expectEqual(recorded, bytes([0.5, -0.25, 1.5] as [Double]))
            // More than a converter takes at a time, so input and output must not overlap.
            let many = (0..<5000).map { Float($0) }
            let wide = try record(many, as: .float(bits: 64, channels: 1, sampleRate: 48000))
            expectEqual(wide, bytes(many.map { Double($0) }))
        }

        @Test("24 bits in 4 bytes are converted from packed ones, aligned high or low")
        func unpacked() throws {
            let captured: [UInt8] = [0x56, 0x34, 0x12, 0xFF, 0xFF, 0xFF]
            var format = AudioStreamBasicDescription.signedInteger(
                bits: 24, containerBytes: 4, channels: 1, sampleRate: 48000)
            try expectEqual(recordPacked(captured, as: format), bytes([0x1234_5600, -256] as [Int32]))
            format.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
            try expectEqual(recordPacked(captured, as: format), bytes([0x12_3456, -1] as [Int32]))
        }

        func recordPacked(_ captured: [UInt8], as format: AudioStreamBasicDescription) throws -> [UInt8] {
            let rig = try InputRig(format: format)
            try rig.enqueue(frames: captured.count / 3)
            try rig.queue.start()
            rig.capture(samples: captured)
            #expect(rig.waitForCallbacks(1))
            return rig.log.all.flatMap(\.bytes)
        }

        @Test("unsigned 16 bits, and 12 in 16, are converted from signed 16")
        func unsignedAndShort() throws {
            let wide = try record(
                [0, -32768, 32767] as [Int16],
                as: .unsignedInteger(bits: 16, channels: 1, sampleRate: 48000))
            expectEqual(wide, bytes([32768, 0, 65535] as [UInt16]))
            let short = try record(
                [0x1230, -16] as [Int16],
                as: .signedInteger(bits: 12, containerBytes: 2, channels: 1, sampleRate: 48000))
            expectEqual(short, bytes([0x1230, -16] as [Int16]))
        }

        @Test("fixed point is an integer with full scale at 1")
        func fixedPoint() throws {
            var format = AudioStreamBasicDescription.signedInteger(bits: 32, channels: 1, sampleRate: 48000)
            format.mFormatFlags |= 24 << kLinearPCMFormatFlagsSampleFractionShift
            // Half of full scale, and all of it below 0.
            let recorded = try record([0x4000_0000, Int32.min, 256] as [Int32], as: format)
            expectEqual(recorded, bytes([1 << 23, -1 << 24, 2] as [Int32]))
            // No conversion exists for this one.
            format.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger
            expectEqual(code { try make(format) }, .unsupportedFormat)
        }

        func make(_ format: AudioStreamBasicDescription, device: any InputDevice = ManualSource()) throws {
            _ = try InputQueue(format: format, device: device) { _, _, _ in }
        }

        @Test("a half-full buffer is converted up to its end")
        func partial() throws {
            let rig = try InputRig(format: .signedInteger(bits: 8, channels: 1, sampleRate: 48000))
            try rig.enqueue(frames: 10)
            try rig.enqueue(frames: 10)
            try rig.queue.start()
            rig.capture(samples: [128, 129, 130] as [UInt8])
            try rig.queue.stop(immediate: true)
            expectEqual(rig.log.all.map(\.bytes), [[0, 1, 2], []])
        }

        @Test("an unsupported format is refused, with the reason")
        func refused() {
            expectEqual(
                code {
                    try make(
                        .signedInteger(bits: 16, isInterleaved: false, channels: 2, sampleRate: 48000))
                }, .unsupportedFormat)
            expectEqual(
                code {
                    try make(.signedInteger(bits: 16, isInterleaved: false, channels: 1, sampleRate: 48000))
                }, nil)
            expectEqual(
                code {
                    try make(
                        .encoded(kAudioFormatQDesign2, framesPerPacket: 1024, channels: 2, sampleRate: 0))
                }, .codecNotFound)
            expectEqual(
                code { try make(.signedInteger(bits: 16, channels: 2, sampleRate: -1)) }, .unsupportedFormat)
            expectEqual(
                code { try make(.signedInteger(bits: 16, channels: 500, sampleRate: 48000)) },
                .unsupportedFormat)
            expectEqual(
                code {
                    _ = try InputQueue(
                        format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000), channelLabels: [1],
                        device: ManualSource()
                    ) { _, _, _ in }
                }, .invalidArgument)
            do {
                try make(.encoded(kAudioFormatQDesign2, framesPerPacket: 1, channels: 1, sampleRate: 8000))
            } catch {
                #expect("\(error)".contains("no encoder"))
            }
        }

        @Test("a rate or channel count of 0 is the device's own")
        func native() throws {
            let source = ManualSource(sampleRate: 96000, channels: 4)
            var format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 0)
            var queue = try InputQueue(format: format, device: source) { _, _, _ in }
            #expect(
                queue.format.isSame(as: .signedInteger(bits: 16, channels: 2, sampleRate: 96000)))
            format = .signedInteger(bits: 24, containerBytes: 3, channels: 0, sampleRate: 44100)
            expectEqual(format.mBytesPerFrame, 0)
            queue = try InputQueue(format: format, device: source) { _, _, _ in }
            #expect(
                queue.format.isSame(as: .signedInteger(bits: 24, channels: 4, sampleRate: 44100)))
            format = .float(channels: 0, sampleRate: 0)
            queue = try InputQueue(format: format, device: source) { _, _, _ in }
            #expect(queue.format.isSame(as: .float(channels: 4, sampleRate: 96000)))
        }

        @Test("a device that reports no format, or an invalid one, makes no queue")
        func nativeFails() {
            let format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 0, sampleRate: 0)
            let mute = StubSource(native: .failure(DeviceError(.noServer, "no answer")))
            expectEqual(code { try make(format, device: mute) }, .cannotStart)
            for native in [(Double.nan, 2), (48000, -1), (48000, 1 << 40), (0, 0)] {
                expectEqual(
                    code { try make(format, device: StubSource(native: .success(native))) },
                    .unsupportedFormat)
            }
            let refusing = StubSource(streamError: DeviceError(.unsupportedFormat, "no"))
            expectEqual(
                code {
                    try make(.signedInteger(bits: 16, channels: 2, sampleRate: 48000), device: refusing)
                }, .unsupportedFormat)
        }
    }
}
