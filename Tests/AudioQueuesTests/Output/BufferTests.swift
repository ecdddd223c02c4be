// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioQueueTypes
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Buffers") struct BufferTests {
        func isZeroed(_ buffer: QueueBuffer) -> Bool { unsafe buffer.bytes.allSatisfy { $0 == 0 } }

        @Test("a new buffer is the published struct, empty, zeroed and aligned")
        func layout() throws {
            let rig = try Rig()
            for capacity in [1, 2, 4095, 12288, 40_000, 1_000_001] {
                let buffer = try rig.queue.allocateBuffer(
                    byteCapacity: capacity, packetDescriptionCapacity: capacity / 100)
                expectEqual(buffer.byteCapacity, capacity)
                expectEqual(buffer.byteCount, 0)
                expectEqual(buffer.packetDescriptionCount, 0)
                let descriptions = unsafe buffer.packetDescriptions.count
                let address = unsafe UInt(bitPattern: buffer.pointer.pointee.mAudioData)
                expectEqual(descriptions, capacity / 100)
                expectEqual(address % 16, 0)
                #expect(isZeroed(buffer))
                unsafe buffer.packetDescriptions.update(
                    repeating: AudioStreamPacketDescription(
                        mStartOffset: -1, mVariableFramesInPacket: .max, mDataByteSize: .max))
                #expect(isZeroed(buffer))
                expectEqual(buffer.byteCapacity, capacity)
            }
        }

        @Test("impossible sizes are refused", arguments: [-1, 0, 1 << 30 + 1, Int.max, Int.min])
        func hostileCapacity(capacity: Int) throws {
            let rig = try Rig()
            expectEqual(code { _ = try rig.queue.allocateBuffer(byteCapacity: capacity) }, .invalidArgument)
            if capacity != 0 {
                expectEqual(
                    code {
                        _ = try rig.queue.allocateBuffer(byteCapacity: 1, packetDescriptionCapacity: capacity)
                    }, .invalidArgument)
            }
        }

        @Test("buffers of another queue, enqueued twice, empty, overfull or with partial frames are refused")
        func refusals() throws {
            let rig = try Rig()
            let other = try Rig()
            let foreign = try other.queue.allocateBuffer(byteCapacity: 64)
            foreign.byteCount = 64
            expectEqual(code { try rig.queue.enqueue(foreign) }, .invalidBuffer)
            expectEqual(code { try rig.queue.free(foreign) }, .invalidBuffer)

            let buffer = try rig.queue.allocateBuffer(byteCapacity: 64)
            expectEqual(code { try rig.queue.enqueue(buffer) }, .bufferEmpty)
            buffer.byteCount = 66
            expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidArgument)
            buffer.byteCount = 63
            expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidArgument)
            buffer.byteCount = 64
            expectEqual(code { try rig.queue.enqueue(buffer, trimFramesAtStart: -1) }, .invalidArgument)
            expectEqual(code { try rig.queue.enqueue(buffer, trimFramesAtEnd: -1) }, .invalidArgument)
            let description = AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 2)
            let mismatch = code {
                try unsafe withUnsafePointer(to: description) {
                    try unsafe rig.queue.enqueue(
                        buffer, packetDescriptions: UnsafeBufferPointer(start: $0, count: 1))
                }
            }
            expectEqual(mismatch, .invalidArgument)
            try rig.queue.enqueue(buffer)
            expectEqual(code { try rig.queue.enqueue(buffer) }, .bufferInQueue)
            expectEqual(code { try rig.queue.free(buffer) }, .bufferInQueue)
            try rig.queue.reset()
            expectEqual(rig.log.all, [buffer])
            try rig.queue.free(buffer)
            expectEqual(code { try rig.queue.free(buffer) }, .invalidBuffer)
            expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidBuffer)
        }

        @Test("each of many buffers is known until it is freed, in any order")
        func many() throws {
            let rig = try Rig()
            var buffers: [QueueBuffer] = []
            for index in 0..<100 {
                let buffer = try rig.queue.allocateBuffer(byteCapacity: 64 + index % 7 * 1000)
                buffer.byteCount = 64
                buffers.append(buffer)
            }
            for index in buffers.indices where index % 3 == 1 { try rig.queue.free(buffers[index]) }
            for index in buffers.indices {
                let expected: QueueError.Code? = index % 3 == 1 ? .invalidBuffer : nil
                expectEqual(code { try rig.queue.enqueue(buffers[index]) }, expected)
                let expectedThen: QueueError.Code? = index % 3 == 1 ? .invalidBuffer : .bufferInQueue
                expectEqual(code { try rig.queue.free(buffers[index]) }, expectedThen)
            }
        }

        #if HAVE_MPEG_AUDIO
        @Test("packets of varying size need descriptions that are within the data")
        func descriptions() throws {
            let mp3 = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEGLayer3, framesPerPacket: 1152, channels: 2, sampleRate: 44100)
            let rig = try Rig(format: mp3)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 1000, packetDescriptionCapacity: 2)
            buffer.byteCount = 1000
            expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidArgument)
            buffer.packetDescriptionCount = 3
            expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidArgument)
            buffer.packetDescriptionCount = 1
            let hostile: [(Int64, UInt32)] = [
                (-1, 10), (0, 1001), (1000, 1), (1001, 0), (999, .max), (.max, .max), (.min, 0),
            ]
            for (offset, bytes) in hostile {
                unsafe buffer.packetDescriptions[0] = AudioStreamPacketDescription(
                    mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: bytes)
                expectEqual(code { try rig.queue.enqueue(buffer) }, .invalidArgument, "\(offset), \(bytes)")
            }
            unsafe buffer.packetDescriptions[0] = AudioStreamPacketDescription(
                mStartOffset: 500, mVariableFramesInPacket: 0, mDataByteSize: 500)
            try rig.queue.enqueue(buffer)
        }
        #endif

        @Test("a format that cannot be played is refused")
        func formats() throws {
            var format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 48000)
            let good = format
            let spoilt: [(inout AudioStreamBasicDescription) -> Void] = [
                { $0.mSampleRate = 0 }, { $0.mSampleRate = .nan }, { $0.mSampleRate = 1e9 },
                { $0.mChannelsPerFrame = 0 }, { $0.mBytesPerFrame = 0 }, { $0.mBytesPerPacket = 3 },
                { $0.mFramesPerPacket = 0 }, { $0.mFormatFlags |= kAudioFormatFlagIsNonInterleaved },
                { $0.mBitsPerChannel = 0 }, { $0.mChannelsPerFrame = .max },
            ]
            for (index, spoil) in spoilt.enumerated() {
                format = good
                spoil(&format)
                let asked = format
                expectEqual(code { _ = try Rig(format: asked) }, .unsupportedFormat, "\(index)")
            }
            let unknown = AudioStreamBasicDescription.encoded(
                0x3F3F_3F3F, framesPerPacket: 1024, channels: 2, sampleRate: 48000)
            expectEqual(code { _ = try Rig(format: unknown) }, .codecNotFound)
            expectEqual(
                code {
                    _ = try OutputQueue(format: good, channelLabels: [1], device: ManualDevice()) { _, _ in }
                }, .invalidArgument)
        }
    }
}
