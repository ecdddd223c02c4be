// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AudioToolbox
import CoreMedia
import Foundation
import AQTestSupport
import Testing

@testable import AVFoundation

extension RecordingTests {
    /// Sessions over a device without a server, whose samples encode their positions.
    @Suite("AVCaptureSession") struct AVCaptureSessionTests {
        private let session = AVCaptureSession()
        private let output = AVCaptureAudioDataOutput()
        private let listener = SampleListener()

        private func configure(
            _ source: any InputDevice = VirtualSource(SequenceContent()), channels: Int = 2
        ) throws {
            session.addInput(try MicrophoneTable.useOne(source, channels: channels))
            output.setSampleBufferDelegate(listener, queue: listener.queue)
            session.addOutput(output)
        }

        /// Whether samples of a number of channels are consecutive, from a frame of the device on.
        private func isComplete(_ samples: [Float], channels: Int = 2, from first: Int = 0) -> Bool {
            samples.enumerated().allSatisfy { index, sample in
                let frame = Int64(first + index / channels)
                let expected = SequenceContent.sample(frame: frame, channel: index % channels)
                return sample == Float(expected) / 32_768
            }
        }

        @Test("buffers have 1024 frames of floats at the device's rate, without a gap in samples or times")
        func buffers() throws {
            try configure()
            #expect(session.connections.count == 1 && !session.isRunning)
            session.startRunning()
            #expect(session.isRunning)
            try #require(listener.wait(forPieces: 12))
            session.stopRunning()
            #expect(!session.isRunning)
            listener.queue.sync {}
            let pieces = listener.pieces
            let last = try #require(pieces.last)
            #expect(pieces.dropLast().allSatisfy { $0.frames == 1024 } && (1...1024).contains(last.frames))
            let format = try #require(pieces.first?.format)
            #expect(format.isSame(as: .float(channels: 2, sampleRate: 48_000)))
            #expect(pieces.allSatisfy { $0.bytes.count == $0.frames * 8 })
            #expect(isComplete(pieces.flatMap(\.floats)) && listener.isAlwaysOnQueue)
            for (piece, next) in zip(pieces, pieces.dropFirst()) {
                expectEqual(piece.duration, CMTime(value: CMTimeValue(piece.frames), timescale: 48_000))
                let gap = (next.time - piece.time - piece.duration).seconds
                #expect(abs(gap) < 0.001, "\(gap)")
            }
            let age = try HostClock.seconds(
                from: UInt64(#require(pieces.first).time.seconds * 1e9), to: HostClock.now)
            #expect(age > 0.25 && age < 0.3 + HostClock.bound(1), "\(age)")
            expectEqual(output.droppedBufferCount, 0)
        }

        @Test("a format of linear PCM may be requested, and what it lacks is the device's")
        func format() throws {
            output.audioSettings = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsNonInterleaved: true,
            ]
            try configure()
            session.startRunning()
            try #require(listener.wait(forPieces: 2))
            let piece = try #require(listener.pieces.first)
            #expect(piece.format?.mSampleRate == 16_000 && piece.format?.mBytesPerFrame == 2)
            #expect(piece.frames == 1024 && piece.bytes.count == 2048)
            expectEqual(piece.integers.prefix(3), [-32_760, -32_759, -32_758])
            // A change applies at the next change of the configuration.
            output.audioSettings = [AVLinearPCMBitDepthKey: 16]
            session.beginConfiguration()
            session.commitConfiguration()
            #expect(eventually { listener.pieces.last?.format?.mSampleRate == 48_000 })
            expectEqual(listener.pieces.last?.format?.mChannelsPerFrame, 2)
        }

        @Test(
            "a format that is no linear PCM is an error, and the session does not run",
            arguments: [kAudioFormatMPEG4AAC, 1])
        func wrongFormat(formatID: AudioFormatID) throws {
            let events = CaptureEvents(session)
            output.audioSettings = [AVFormatIDKey: formatID]
            try configure()
            session.startRunning()
            #expect(!session.isRunning && events.all == ["error -11800"])
        }

        @Test("extreme formats are errors, or recorded, and never trap")
        func extremes() throws {
            try configure()
            for rate in [0, -1, .nan, .infinity, 1e300, 1e-300, 1] as [Double] {
                output.audioSettings = [AVSampleRateKey: rate]
                session.startRunning()
                session.stopRunning()
            }
            for key in [AVFormatIDKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey] {
                for number in [0, 1, 3, 64, 1_000_000, Int.max, Int.min] {
                    output.audioSettings = [key: number]
                    session.startRunning()
                    session.stopRunning()
                }
            }
            output.audioSettings = [AVSampleRateKey: "fast"]
            session.startRunning()
            #expect(!session.isRunning)
            output.audioSettings = nil
            session.startRunning()
            #expect(session.isRunning)
        }

        @Test("without a server the session does not run, and posts the error") func noServer() throws {
            let events = CaptureEvents(session)
            try configure(PulseSource(server: "unix:/nonexistent"))
            session.startRunning()
            #expect(!session.isRunning && events.all == ["error -11800"], "\(events.all)")
        }

        @Test("a start and a stop are posted once") func notifications() throws {
            let events = CaptureEvents(session)
            try configure()
            session.stopRunning()
            session.startRunning()
            session.startRunning()
            session.stopRunning()
            session.stopRunning()
            expectEqual(events.all, ["started", "stopped"])
            let time = try #require(session.synchronizationClock).time.seconds
            #expect(abs(time - Double(HostClock.now) / 1e9) < HostClock.bound(0.1))
        }

        @Test("a device that disappears stops the session with an error") func loss() throws {
            let events = CaptureEvents(session)
            let fed = FedSource()
            try configure(fed.source)
            session.startRunning()
            try #require(listener.wait(forPieces: 2))
            fed.source.fail(DeviceError(.connectionLost, "the microphone has disappeared"))
            #expect(eventually { events.all == ["started", "error -11808", "stopped"] }, "\(events.all)")
            #expect(!session.isRunning && session.connections.first?.isActive == false)
            // It can be started again.
            session.startRunning()
            let count = listener.pieces.count
            #expect(session.isRunning && listener.wait(forPieces: count + 2))
        }

        @Test("the release of a session ends its recording") func release() throws {
            let fed = FedSource()
            let input = try MicrophoneTable.useOne(fed.source)
            do {
                let session = AVCaptureSession()
                session.addInput(input)
                session.addOutput(output)
                session.startRunning()
                #expect(session.isRunning && fed.source.openStreams == 1)
            }
            #expect(eventually { fed.source.openStreams == 0 })
        }

        // MARK: Delegates

        @Test("64 buffers wait for a slow delegate, the next are dropped, and later ones delivered")
        func slowDelegate() throws {
            try configure(VirtualSource(SequenceContent(), pace: .asFastAsRoomAllows))
            listener.queue.suspend()
            session.startRunning()
            let isDropped = eventually { output.droppedBufferCount > 20 }
            let delivered = listener.pieces.count
            listener.queue.resume()
            #expect(isDropped && delivered == 0)
            try #require(listener.wait(forPieces: 65))
            session.stopRunning()
            listener.queue.sync {}
            // The first ones follow each other, and then some are missing.
            let pieces = listener.pieces
            #expect(isComplete(pieces.prefix(64).flatMap(\.floats)))
            #expect(!isComplete(pieces[64].floats, from: 64 * 1024))
        }

        @Test("a delegate that is removed or released receives nothing more") func delegates() throws {
            try configure()
            session.startRunning()
            try #require(listener.wait(forPieces: 1))
            #expect(output.sampleBufferDelegate === listener)
            #expect(output.sampleBufferCallbackQueue === listener.queue)
            output.setSampleBufferDelegate(nil, queue: nil)
            listener.queue.sync {}
            let count = listener.pieces.count
            #expect(remains(forSeconds: 0.1) { listener.pieces.count == count })
            #expect(output.sampleBufferDelegate == nil && output.sampleBufferCallbackQueue == nil)
            let second = SampleListener()
            output.setSampleBufferDelegate(second, queue: second.queue)
            #expect(second.wait(forPieces: 2) && listener.pieces.count == count)
        }

        @Test("a session may be stopped by its delegate") func stopByDelegate() throws {
            try configure()
            session.startRunning()
            let events = CaptureEvents(session)
            let box = SessionBox(session: session)
            listener.queue.async { box.session.stopRunning() }
            #expect(eventually { events.all == ["stopped"] } && !session.isRunning)
        }

        private struct SessionBox: @unchecked Sendable {
            // SAFETY: all members of a session may be used from any thread.
            let session: AVCaptureSession
        }
    }
}
