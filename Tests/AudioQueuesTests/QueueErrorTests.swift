// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioQueueTypes
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Errors") struct QueueErrorTests {
        static let published: [(QueueError.Code, OSStatus)] = [
            (.invalidBuffer, kAudioQueueErr_InvalidBuffer),
            (.bufferEmpty, kAudioQueueErr_BufferEmpty),
            (.disposalPending, kAudioQueueErr_DisposalPending),
            (.invalidProperty, kAudioQueueErr_InvalidProperty),
            (.invalidPropertySize, kAudioQueueErr_InvalidPropertySize),
            (.invalidParameter, kAudioQueueErr_InvalidParameter),
            (.cannotStart, kAudioQueueErr_CannotStart),
            (.invalidDevice, kAudioQueueErr_InvalidDevice),
            (.bufferInQueue, kAudioQueueErr_BufferInQueue),
            (.invalidRunState, kAudioQueueErr_InvalidRunState),
            (.invalidQueueType, kAudioQueueErr_InvalidQueueType),
            (.permissions, kAudioQueueErr_Permissions),
            (.invalidPropertyValue, kAudioQueueErr_InvalidPropertyValue),
            (.primeTimedOut, kAudioQueueErr_PrimeTimedOut),
            (.codecNotFound, kAudioQueueErr_CodecNotFound),
            (.invalidCodecAccess, kAudioQueueErr_InvalidCodecAccess),
            (.queueInvalidated, kAudioQueueErr_QueueInvalidated),
            (.tooManyTaps, kAudioQueueErr_TooManyTaps),
            (.invalidTapContext, kAudioQueueErr_InvalidTapContext),
            (.recordUnderrun, kAudioQueueErr_RecordUnderrun),
            (.invalidTapType, kAudioQueueErr_InvalidTapType),
            (.bufferEnqueuedTwice, kAudioQueueErr_BufferEnqueuedTwice),
            (.cannotStartYet, kAudioQueueErr_CannotStartYet),
            (.enqueueDuringReset, kAudioQueueErr_EnqueueDuringReset),
            (.invalidOfflineMode, kAudioQueueErr_InvalidOfflineMode),
            (.invalidArgument, kAudio_ParamError),
            (.outOfMemory, kAudio_MemFullError),
            (.unsupportedFormat, 0x666D_743F),
        ]

        @Test("every code has its published status and a text of its own")
        func completeness() {
            expectEqual(Self.published.map(\.0), QueueError.Code.allCases)
            for (code, status) in Self.published {
                expectEqual(code.status, status)
                expectEqual(QueueError.Code(status: status), code)
                #expect(!code.explanation.isEmpty)
                #expect(!code.explanation.hasSuffix("."))
                expectEqual(code.explanation.first?.isUppercase, false)
            }
            expectEqual(
                Set(QueueError.Code.allCases.map(\.explanation)).count, QueueError.Code.allCases.count)
            expectEqual(QueueError.Code(status: 0), nil)
        }
    }

    @Suite("Buffer sizes") struct BufferSizeTests {
        @Test("a compressed format gets the packets of its duration, within the limits")
        func compressed() {
            let mp3 = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEGLayer3, framesPerPacket: 1152, channels: 2, sampleRate: 44100)
            let half = OutputQueue.deriveBufferSize(format: mp3, maximumPacketSize: 1052, seconds: 0.5)
            expectEqual(half.bufferByteCount, 20135)  // 19.14 packets of 1052 bytes
            expectEqual(half.packetCount, 19)
            let short = OutputQueue.deriveBufferSize(format: mp3, maximumPacketSize: 1052, seconds: 0.01)
            expectEqual(short.bufferByteCount, 0x4000)
            let long = OutputQueue.deriveBufferSize(format: mp3, maximumPacketSize: 1052, seconds: 60)
            expectEqual(long.bufferByteCount, 0x50000)
            expectEqual(long.packetCount, 0x50000 / 1052)
        }

        @Test("packets without a constant number of frames get the largest size")
        func variableFrames() {
            let format = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEGLayer3, framesPerPacket: 0, channels: 2, sampleRate: 44100)
            let size = OutputQueue.deriveBufferSize(format: format, maximumPacketSize: 1000, seconds: 1)
            expectEqual(size.bufferByteCount, 0x50000)
            let huge = OutputQueue.deriveBufferSize(format: format, maximumPacketSize: 0x60000, seconds: 1)
            expectEqual(huge.bufferByteCount, 0x60000)
            expectEqual(huge.packetCount, 1)
        }

        @Test(
            "invalid numbers give a usable size",
            arguments: [-1, 0, 1, 4, 0x50001, Int.max], [-1, 0, 0.5, 1e300, Double.infinity, Double.nan])
        func hostile(packetSize: Int, seconds: Double) {
            var format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 48000)
            for rate in [0, 48000, 1e300, Double.nan, -5] {
                format.mSampleRate = rate
                let size = OutputQueue.deriveBufferSize(
                    format: format, maximumPacketSize: packetSize, seconds: seconds)
                #expect(size.packetCount >= 1)
                #expect(size.bufferByteCount >= 0x4000)
                #expect(size.bufferByteCount <= 1 << 30)
            }
        }
    }
}
