// SPDX-License-Identifier: MIT

import AVFAudio
import AudioDevices
import Foundation
import SoundHarness
import TestSupport
import Testing

extension RecordingTests {
    /// Recordings of a real server.
    @Suite("AVAudioRecorder on a server") struct AVAudioRecorderSoundTests {
        private let server: PulseServer
        private let folder = ScratchFolder()
        private let listener = RecorderListener()

        init() throws { server = try PulseServer() }

        private var url: URL { URL(fileURLWithPath: folder.file("a.wav")) }

        private func makeRecorder() throws -> AVAudioRecorder {
            let settings: [String: Any] = [
                AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
            ]
            let source = ImpatientSource(
                source: try PulseSource(monitorOf: "test", server: server.address))
            let recorder = try SoundDevices.$current.withValue(.input(source)) {
                try AVAudioRecorder(url: url, settings: settings)
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

        @Test("every played frame is in the file, once") func exact() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record())
            try server.playSignal(frames: 24_000)
            recorder.stop()
            let runs = try runs()
            #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [24_000], "\(runs)")
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("a duration has that number of frames") func duration() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record(forDuration: 0.5))
            try #require(listener.waitForEnd())
            #expect(try RecordedFile.samples(url).count == 2 * 24_000)
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

        @Test("a recorder follows a time of the host") func atTime() throws {
            let recorder = try makeRecorder()
            #expect(recorder.record(atTime: recorder.deviceCurrentTime + 0.2, forDuration: 0.1))
            #expect(recorder.isRecording)
            try #require(listener.waitForEnd())
            #expect(try RecordedFile.samples(url).count == 2 * 4800)
        }
    }
}
