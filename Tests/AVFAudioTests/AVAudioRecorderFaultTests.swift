// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AudioToolbox
import Foundation
import AQTestSupport
import Testing

extension RecordingTests {
    /// Recordings whose device or file fails.
    @Suite("Faults of AVAudioRecorder") struct AVAudioRecorderFaultTests {
        private let folder = ScratchFolder()
        private let listener = RecorderListener()

        private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

        private func makeRecorder(
            _ name: String, _ device: any InputDevice, format: AudioFormatID = kAudioFormatLinearPCM
        ) throws -> AVAudioRecorder {
            let settings: [String: Any] = [
                AVFormatIDKey: format, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ]
            let recorder = try SoundDevices.$current.withValue(.input(device)) {
                try AVAudioRecorder(url: url(name), settings: settings)
            }
            recorder.delegate = listener
            return recorder
        }

        private static let loss = DeviceError(.connectionLost, "the microphone has disappeared")

        @Test("a device that disappears ends the recording with false, and the file has the audio until then")
        func loss() throws {
            let fed = FedSource()
            let recorder = try makeRecorder("a.wav", fed.source)
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.2 })
            fed.source.fail(Self.loss)
            try #require(listener.waitForEnd())
            #expect(listener.events == [.finished(false)] && listener.isAlwaysOnMain)
            #expect(!recorder.isRecording && recorder.currentTime == 0)
            #expect(RecordedFile.descriptors(url("a.wav")).isEmpty)
            #expect(try RecordedFile.samples(url("a.wav")).count >= 2 * 9600)
            // Another recording is possible.
            #expect(recorder.record(forDuration: 0.1))
            try #require(eventually { listener.events == [.finished(false), .finished(true)] })
            try expectEqual(RecordedFile.samples(url("a.wav")).count, 2 * 4800)
        }

        @Test("a device that disappears during a pause ends the recording too") func lossInPause() throws {
            let fed = FedSource()
            let recorder = try makeRecorder("a.wav", fed.source)
            #expect(recorder.record())
            recorder.pause()
            fed.source.fail(Self.loss)
            try #require(listener.waitForEnd())
            #expect(listener.events == [.finished(false)] && !recorder.isRecording)
        }

        @Test("audio that cannot be written is reported, and ends the recording with false")
        func fullDisk() throws {
            let fed = FedSource()
            let recorder = try makeRecorder("a.wav", fed.source)
            #expect(recorder.record())
            try RecordedFile.makeFull(url("a.wav"))
            try #require(listener.waitForEnd())
            guard case .encodeError(let code?)? = listener.events.first else {
                Issue.record("no error: \(listener.events)")
                return
            }
            #expect(code != 0)
            #expect(listener.events.dropFirst() == [.finished(false)] && listener.isAlwaysOnMain)
            #expect(!recorder.isRecording)
        }

        @Test("a file that cannot be completed is reported, and ends the recording with false")
        func unclosable() throws {
            let fed = FedSource()
            // The last packet, and the table of packets, are written when the file is closed.
            let recorder = try makeRecorder("a.m4a", fed.source, format: kAudioFormatAppleLossless)
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.3 })
            fed.stall()
            let path = folder.file("a.m4a")
            var size = -1
            // Without captured audio nothing is written.
            let isQuiet = HostClock.poll(upToSeconds: 5, every: 0.1) {
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                let now = attributes?[.size] as? Int ?? 0
                defer { size = now }
                return now == size
            }
            try #require(isQuiet && listener.events.isEmpty)
            try RecordedFile.makeFull(url("a.m4a"))
            recorder.stop()
            try #require(listener.waitForEnd())
            #expect(listener.events.count == 2 && listener.events.last == .finished(false))
        }

        @Test("without a device, record returns false, and the delegate is not called") func noDevice() throws
        {
            let recorder = try makeRecorder("a.wav", PulseSource(server: "unix:/nonexistent"))
            #expect(!recorder.record() && !recorder.isRecording && recorder.currentTime == 0)
            #expect(remains(forSeconds: 0.1) { listener.events.isEmpty })
        }

        @Test(
            "a recorder that fails before it records leaves no file",
            arguments: ["wav", "caf", "m4a", "flac"])
        func noFile(type: String) throws {
            let format = ["m4a": kAudioFormatMPEG4AAC, "flac": kAudioFormatFLAC][type]
            let recorder = try makeRecorder(
                "a.\(type)", PulseSource(server: "unix:/nonexistent"), format: format ?? kAudioFormatLinearPCM
            )
            #expect(!recorder.record())
            #expect(folder.names.isEmpty, "\(folder.names)")
            _ = recorder.prepareToRecord()
            #expect(!recorder.record())
            #expect(folder.names.isEmpty, "\(folder.names)")
            // An encoder that refuses its settings.
            let refused = try SoundDevices.$current.withValue(.input(VirtualSource())) {
                try AVAudioRecorder(
                    url: url("b.m4a"),
                    settings: [
                        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 12_345,
                        AVNumberOfChannelsKey: 2,
                    ])
            }
            #expect(!refused.prepareToRecord() && !refused.record())
            #expect(folder.names.isEmpty, "\(folder.names)")
        }

        @Test("extreme settings fail or record, and never trap")
        func extremes() throws {
            let rates: [Double] = [.nan, .infinity, 1e300, 1e9, 1e-300, 1]
            let integers = [0, 1, 63, 1_000_000, Int.max, Int.min]
            var all: [[String: Any]] = rates.map { [AVSampleRateKey: $0, AVNumberOfChannelsKey: 1] }
            let keys = [
                AVFormatIDKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey, AVAudioFileTypeKey,
                AVEncoderAudioQualityKey, AVEncoderBitRateKey, AVEncoderBitRatePerChannelKey,
                AVEncoderBitDepthHintKey,
            ]
            for key in keys {
                all += integers.map { [key: $0] }
                guard key != AVFormatIDKey else { continue }
                all += integers.map { [AVFormatIDKey: kAudioFormatMPEG4AAC, key: $0] }
            }
            for (settings, name) in all.flatMap({ settings in
                ["a.wav", "a.caf", "a.m4a"].map { (settings, $0) }
            }) {
                let devices = SoundDevices.input(VirtualSource(pace: .asFastAsRoomAllows))
                let recorder = try? SoundDevices.$current.withValue(devices) {
                    try AVAudioRecorder(url: url(name), settings: settings)
                }
                _ = recorder?.prepareToRecord()
                _ = (recorder?.format, recorder?.settings)
                #expect(recorder?.deleteRecording() != false || folder.names.isEmpty, "\(settings)")
            }
        }

        @Test("a duration without an end records until the stop", arguments: [.infinity, 1e300])
        func endless(seconds: Double) throws {
            let recorder = try makeRecorder("a.wav", VirtualSource())
            #expect(recorder.record(forDuration: seconds))
            try #require(eventually { recorder.currentTime > 0.1 })
            recorder.stop()
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("control calls in any order neither trap nor hang") func calls() throws {
            let recorder = try makeRecorder("a.wav", VirtualSource())
            recorder.pause()
            recorder.stop()
            recorder.updateMeters()
            #expect(recorder.prepareToRecord() && recorder.prepareToRecord())
            recorder.pause()
            recorder.stop()
            #expect(recorder.record() && recorder.record())
            recorder.pause()
            recorder.pause()
            #expect(recorder.prepareToRecord() && !recorder.isRecording)
            recorder.stop()
            recorder.pause()
            #expect(!recorder.isRecording)
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("threads may call one recorder at the same time") func threads() throws {
            let recorder = try makeRecorder("a.wav", VirtualSource())
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for call in 0..<15 {
                    switch (thread + call) % 4 {
                    case 0: recorder.record()
                    case 1: recorder.pause()
                    case 2: _ = recorder.currentTime
                    default: recorder.stop()
                    }
                }
            }
            recorder.stop()
            #expect(!recorder.isRecording)
            #expect(RecordedFile.descriptors(url("a.wav")).isEmpty)
        }
    }
}
