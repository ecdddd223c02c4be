// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import CoreMedia
import Foundation
import AQSoundHarness
import AQTestSupport
import Testing

@testable import AVFoundation

extension RecordingTests {
    /// Changes of the inputs and outputs of sessions, and connections.
    @Suite("Configuration of AVCaptureSession") struct AVCaptureConfigurationTests {
        private let session = AVCaptureSession()
        private let output = AVCaptureAudioDataOutput()
        private let listener = SampleListener()

        private func start(
            _ source: any InputDevice = VirtualSource(SequenceContent())
        ) throws -> AVCaptureDeviceInput {
            let input = try MicrophoneTable.useOne(source)
            output.setSampleBufferDelegate(listener, queue: listener.queue)
            session.addInput(input)
            session.addOutput(output)
            session.startRunning()
            try #require(listener.wait(forPieces: 1))
            return input
        }

        private func expectSilence(_ location: SourceLocation = #_sourceLocation) {
            listener.queue.sync {}
            let count = listener.pieces.count
            let isSilent = remains(forSeconds: 0.1) { listener.pieces.count == count }
            #expect(isSilent, sourceLocation: location)
        }

        private func expectMore(_ location: SourceLocation = #_sourceLocation) {
            #expect(listener.wait(forPieces: listener.pieces.count + 2), sourceLocation: location)
        }

        @Test("a session has one input, and each output once") func limits() throws {
            let input = try MicrophoneTable.useOne(VirtualSource())
            let second = try AVCaptureDeviceInput(device: input.device)
            #expect(session.canAddInput(input) && session.canAddOutput(output))
            session.addOutput(output)
            session.addInput(input)
            #expect(!session.canAddInput(second) && !session.canAddOutput(output))
            session.addInput(second)
            session.addOutput(output)
            #expect(session.inputs == [input] && session.outputs == [output])
            #expect(output.connections.count == 1 && output.connection(with: .audio) != nil)
            expectEqual(output.connection(with: .video), nil)
            #expect(!session.canAddInput(AVCaptureInput()) && !session.canAddOutput(AVCaptureOutput()))
            // An output of another session.
            let other = AVCaptureSession()
            #expect(!other.canAddOutput(output))
            other.addOutput(output)
            other.removeOutput(output)
            #expect(other.outputs.isEmpty && output.connections.count == 1)
            session.removeInput(second)
            expectEqual(session.inputs, [input])
            session.removeInput(input)
            #expect(session.inputs.isEmpty && output.connections.isEmpty)
            session.removeOutput(output)
            #expect(session.outputs.isEmpty && other.canAddOutput(output))
        }

        @Test("an output belongs to its session also without an input, until the release of the session")
        func owner() throws {
            var owner: AVCaptureSession? = AVCaptureSession()
            owner?.addOutput(output)
            #expect(output.connections.isEmpty && !session.canAddOutput(output))
            owner?.addInput(try MicrophoneTable.useOne(VirtualSource()))
            expectEqual(output.connections.count, 1)
            owner = nil
            #expect(output.connections.isEmpty && session.canAddOutput(output))
            _ = try start()
        }

        @Test("an output that is removed while the session runs receives nothing more, others do")
        func removeOutput() throws {
            _ = try start()
            let second = SampleListener()
            let other = AVCaptureAudioDataOutput()
            other.setSampleBufferDelegate(second, queue: second.queue)
            session.addOutput(other)
            #expect(second.wait(forPieces: 2) && session.connections.count == 2)
            session.removeOutput(output)
            expectSilence()
            #expect(session.isRunning && second.wait(forPieces: second.pieces.count + 2))
            session.addOutput(output)
            expectMore()
        }

        @Test("a running session without its input records nothing, until there is another")
        func removeInput() throws {
            let fed = FedSource()
            let input = try start(fed.source)
            session.removeInput(input)
            expectSilence()
            #expect(session.isRunning && eventually { fed.source.openStreams == 0 })
            session.addInput(input)
            expectMore()
        }

        @Test("changes between begin and commit take effect together") func transaction() throws {
            let fed = FedSource()
            let input = try start(fed.source)
            session.beginConfiguration()
            session.beginConfiguration()
            session.removeInput(input)
            session.commitConfiguration()
            expectMore()
            session.commitConfiguration()
            expectSilence()
            // A commit without a begin changes nothing.
            session.commitConfiguration()
            session.beginConfiguration()
            session.addInput(input)
            expectSilence()
            session.commitConfiguration()
            expectMore()
        }

        @Test("a connection can be disabled, and has levels while it records") func connection() throws {
            _ = try start(VirtualSource(ToneContent(frequency: 1000, amplitude: 0.5)))
            let connection = try #require(output.connections.first)
            #expect(connection.isActive && connection.output === output)
            expectEqual(connection.audioChannels.count, 2)
            let channel = try #require(connection.audioChannels.last)
            #expect(eventually { channel.averagePowerLevel > -20 })
            #expect(abs(channel.averagePowerLevel + 9.03) < 0.5 && abs(channel.peakHoldLevel + 6.02) < 0.1)
            connection.isEnabled = false
            #expect(!connection.isActive)
            expectSilence()
            connection.isEnabled = true
            expectMore()
            session.stopRunning()
            #expect(!connection.isActive && channel.averagePowerLevel == -160)
            expectEqual(channel.peakHoldLevel, -160)
        }

        @Test("a muted program captures silence") func muted() throws {
            try AVAudioApplication.shared.setInputMuted(true)
            defer { try? AVAudioApplication.shared.setInputMuted(false) }
            _ = try start()
            try #require(listener.wait(forPieces: 3))
            #expect(listener.pieces.allSatisfy { piece in piece.bytes.allSatisfy { $0 == 0 } })
            expectEqual(output.connections.first?.audioChannels.first?.averagePowerLevel, -160)
        }

        @Test("a preset is kept") func preset() {
            #expect(session.sessionPreset == .high && session.canSetSessionPreset(.medium))
            session.sessionPreset = .medium
            expectEqual(session.sessionPreset, .medium)
        }
    }

    /// Sessions on a real server.
    @Suite("AVCaptureSession on a server") struct AVCaptureSoundTests {
        private let server: PulseServer

        init() throws {
            server = try PulseServer()
            let address = server.address
            CaptureHardware.replace(
                by: CaptureHardware(
                    // A monitor is the microphone whose audio a test knows.
                    list: { () throws(DeviceError) -> [DeviceInfo] in
                        try PulseSource.list(server: address).map { device in
                            var device = device
                            device.isMonitor = false
                            return device
                        }
                    },
                    makeInput: { (name: String) throws(DeviceError) -> any InputDevice in
                        ImpatientSource(source: try PulseSource(source: name, server: address))
                    },
                    watch: {
                        (
                            changed: @escaping @Sendable () -> Void
                        ) throws(DeviceError)
                            -> (any AnyObject & Sendable) in
                        try PulseDeviceWatch(server: address, changed)
                    }))
        }

        @Test(
            "every played frame is delivered once, at times without gaps; the end of the server is an error")
        func exact() throws {
            let session = AVCaptureSession()
            let events = CaptureEvents(session)
            let listener = SampleListener()
            let output = AVCaptureAudioDataOutput()
            output.setSampleBufferDelegate(listener, queue: listener.queue)
            let device = try #require(AVCaptureDevice(uniqueID: "test.monitor"))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            session.startRunning()
            #expect(session.isRunning)
            try server.playSignal(frames: 24_000)
            #expect(listener.wait(forPieces: listener.pieces.count + 10))
            let pieces = listener.pieces
            let recording = Recording(
                sampleRate: 48_000, channels: 2, samples: pieces.flatMap(\.floats))
            let runs = TestSignal.runs(in: recording).filter { $0.frames > 1 }
            #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [24_000], "\(runs)")
            for (piece, next) in zip(pieces, pieces.dropFirst()) {
                let gap = (next.time - piece.time - piece.duration).seconds
                #expect(abs(gap) < HostClock.bound(0.01) && next.time > piece.time, "\(gap)")
            }
            server.kill()
            #expect(eventually { events.all == ["started", "error -11808", "stopped"] }, "\(events.all)")
        }
    }
}
