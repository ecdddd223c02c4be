// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AudioToolbox
import Foundation
import AQSoundHarness
import AQTestSupport
import Testing

extension RecordingTests {
    /// Recordings of a real server.
    @Suite("AVAudioRecorder on a server") struct AVAudioRecorderSoundTests {
        private let server: PulseServer
        private let folder = ScratchFolder()
        private let listener = RecorderListener()

        init() throws { server = try PulseServer() }

        private var url: URL { URL(fileURLWithPath: folder.file("a.wav")) }

        private func makeRecorder(
            _ url: URL? = nil, _ settings: [String: Any]? = nil, isPatient: Bool = false
        ) throws -> AVAudioRecorder {
            let usual: [String: Any] = [
                AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
            ]
            let source = try PulseSource(monitorOf: "test", server: server.address)
            let device: any InputDevice = isPatient ? source : ImpatientSource(source: source)
            let recorder = try SoundDevices.$current.withValue(.input(device)) {
                try AVAudioRecorder(url: url ?? self.url, settings: settings ?? usual)
            }
            recorder.delegate = listener
            return recorder
        }

        /// The parts of the test signal in the file.
        private func runs() throws -> [TestSignal.Run] {
            let samples = try RecordedFile.samples(url).map { Float($0) / 32_768 }
            return TestSignal.runs(in: Recording(sampleRate: 48_000, channels: 2, samples: samples))
                .filter { $0.frames > 1 }
        }

        /// Waits until what was played is recorded: what is on its way from a server is lost with it.
        private func awaitPlayed(by recorder: AVAudioRecorder) throws {
            let played = recorder.currentTime
            try #require(eventually { recorder.currentTime > played + 0.2 })
        }

        @Test("every played frame is in the file, once") func exact() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record())
            try server.playSignal(frames: 24_000)
            recorder.stop()
            let runs = try runs()
            #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [24_000], "\(runs)")
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test(
            "a duration has that number of frames at the file's rate",
            arguments: [
                ("a.wav", kAudioFormatLinearPCM, 16_000), ("a.caf", kAudioFormatAppleLossless, 44_100),
                ("a.m4a", kAudioFormatMPEG4AAC, 12_000), ("a.m4a", kAudioFormatMPEG4AAC, 44_100),
            ] as [(String, AudioFormatID, Double)])
        func duration(name: String, formatID: AudioFormatID, sampleRate: Double) throws {
            let url = URL(fileURLWithPath: folder.file(name))
            let recorder = try makeRecorder(
                url,
                [
                    AVFormatIDKey: Int(formatID), AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: 1,
                    AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
                ])
            #expect(recorder.record(forDuration: 0.3))
            try #require(listener.waitForEnd())
            try expectEqual(RecordedFile.samples(url).count, Int(sampleRate * 0.3))
            #expect(listener.events == [.finished(true)] && listener.isAlwaysOnMain)
        }

        @Test("what is played during a pause is not recorded") func pause() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.1 })
            recorder.pause()
            try server.playSignal(frames: 4800)
            #expect(recorder.currentTime < 0.4)
            #expect(recorder.record())
            try server.playSignal(frames: 9600)
            recorder.stop()
            let runs = try runs()
            #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [9600], "\(runs)")
        }

        @Test("a server that ends and does not return ends the recording with false") func end() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.2 })
            server.kill()
            try #require(listener.waitForEnd())
            #expect(listener.events == [.finished(false)] && listener.isAlwaysOnMain)
            #expect(try RecordedFile.samples(url).count >= 2 * 9600)
            #expect(!recorder.isRecording && !recorder.record())
        }

        @Test("a server that ends during a pause ends the recording once, with the audio until then")
        func endInPause() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record())
            try server.playSignal(frames: 4800)
            try awaitPlayed(by: recorder)
            recorder.pause()
            server.kill()
            _ = recorder.record()
            try #require(listener.waitForEnd())
            #expect(!recorder.isRecording)
            #expect(remains(forSeconds: 0.1) { listener.events == [.finished(false)] })
            try expectEqual(runs().map(\.frames), [4800])
        }

        @Test("after a server returns, the recording resumes, with silence between") func restart() throws {
            let recorder = try makeRecorder(isPatient: true)
            #expect(recorder.record())
            try server.playSignal(frames: 4800)
            try awaitPlayed(by: recorder)
            server.kill()
            try server.start()
            let before = recorder.currentTime
            try #require(eventually { recorder.currentTime > before + 0.1 })
            #expect(recorder.isRecording)
            try server.playSignal(frames: 9600)
            recorder.stop()
            let runs = try runs()
            #expect(runs.map(\.position) == [0, 0] && runs.map(\.frames) == [4800, 9600], "\(runs)")
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("a recorder follows a time of the host") func atTime() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record(atTime: recorder.deviceCurrentTime + 0.2, forDuration: 0.1))
            #expect(recorder.isRecording)
            try #require(listener.waitForEnd())
            try expectEqual(RecordedFile.samples(url).count, 2 * 4800)
        }
    }
}
