// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AudioToolbox
import Foundation
import AQTestSupport
import Testing

extension RecordingTests {
    /// Recordings of a device without a server, whose samples encode their positions.
    @Suite("AVAudioRecorder") struct AVAudioRecorderTests {
        private let folder = ScratchFolder()
        private let listener = RecorderListener()

        private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

        private static var mono16: [String: Any] {
            [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 16,
            ]
        }

        private func makeRecorder(
            _ name: String, _ settings: [String: Any] = mono16,
            pace: VirtualSource.Pace = .realTime
        ) throws -> AVAudioRecorder {
            let devices = SoundDevices.input(VirtualSource(SequenceContent(), pace: pace))
            let recorder = try SoundDevices.$current.withValue(devices) {
                try AVAudioRecorder(url: url(name), settings: settings)
            }
            recorder.delegate = listener
            return recorder
        }

        /// Whether the samples of one channel are consecutive, from the first frame of the device on.
        private func isComplete(_ samples: [Int16]) -> Bool {
            samples.enumerated().allSatisfy {
                $0.element == SequenceContent.sample(frame: Int64($0.offset), channel: 0)
            }
        }

        struct Kind: Sendable, CustomTestStringConvertible {
            var name: String
            var formatID: AudioFormatID
            var sampleRate: Double
            var isExact = true
            var testDescription: String { "\(name), \(Int(sampleRate)) Hz" }
        }

        @Test(
            "a duration is exact to the frame",
            arguments: [
                Kind(name: "a.wav", formatID: kAudioFormatLinearPCM, sampleRate: 16_000),
                Kind(name: "b.wav", formatID: kAudioFormatLinearPCM, sampleRate: 44_100),
                Kind(name: "c.caf", formatID: kAudioFormatLinearPCM, sampleRate: 48_000),
                Kind(name: "d.caf", formatID: kAudioFormatAppleLossless, sampleRate: 44_100),
                Kind(name: "e.m4a", formatID: kAudioFormatAppleLossless, sampleRate: 48_000),
                Kind(name: "f.m4a", formatID: kAudioFormatMPEG4AAC, sampleRate: 44_100, isExact: false),
            ], [0.0101, 0.7501])
        func duration(kind: Kind, seconds: Double) throws {
            let settings: [String: Any] = [
                AVFormatIDKey: kind.formatID, AVSampleRateKey: kind.sampleRate, AVNumberOfChannelsKey: 1,
            ]
            let recorder = try makeRecorder(kind.name, settings, pace: .asFastAsRoomAllows)
            #expect(recorder.record(forDuration: seconds))
            try #require(listener.waitForEnd())
            #expect(listener.events == [.finished(true)] && listener.isAlwaysOnMain)
            #expect(!recorder.isRecording && recorder.currentTime == 0)
            let frames = Int((seconds * kind.sampleRate).rounded())
            let file = try AVAudioFile(forReading: url(kind.name))
            #expect(file.length == frames && file.fileFormat.sampleRate == kind.sampleRate)
            if kind.isExact {
                let samples = try RecordedFile.samples(url(kind.name))
                #expect(samples.count == frames && isComplete(samples))
            }
        }

        @Test("a duration in real time takes that time") func durationInRealTime() throws {
            let recorder = try makeRecorder("a.wav")
            let start = HostClock.now
            #expect(recorder.record(forDuration: 0.4) && recorder.isRecording)
            try #require(listener.waitForEnd())
            let elapsed = HostClock.seconds(from: start, to: HostClock.now)
            #expect(elapsed >= 0.39 && elapsed < 0.4 + HostClock.bound(0.5), "\(elapsed)")
            try expectEqual(RecordedFile.samples(url("a.wav")).count, 6400)
        }

        @Test("a duration that is no positive number is refused", arguments: [0, -1, Double.nan])
        func noDuration(seconds: Double) throws {
            let recorder = try makeRecorder("a.wav")
            #expect(!recorder.record(forDuration: seconds) && !recorder.isRecording)
        }

        @Test("a pause keeps what was captured, and the recording resumes in the same file")
        func pause() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.2 })
            recorder.pause()
            #expect(!recorder.isRecording)
            let paused = recorder.currentTime
            #expect(paused > 0.2)
            #expect(remains(forSeconds: 0.15) { abs(recorder.currentTime - paused) < 0.02 })
            let pausedFrames = Int((recorder.currentTime * 16_000).rounded())
            #expect(recorder.record(forDuration: 0.25) && recorder.isRecording)
            try #require(listener.waitForEnd())
            let samples = try RecordedFile.samples(url("a.wav"))
            #expect(abs(samples.count - pausedFrames - 4000) <= 1, "\(samples.count), \(pausedFrames)")
            #expect(isComplete(samples))
            expectEqual(listener.events, [.finished(true)])
        }

        @Test("a stop closes the file before it returns, with all frames until then")
        func stop() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.2 })
            let before = recorder.currentTime
            #expect(!RecordedFile.descriptors(url("a.wav")).isEmpty)
            recorder.stop()
            #expect(RecordedFile.descriptors(url("a.wav")).isEmpty)
            #expect(!recorder.isRecording && recorder.currentTime == 0)
            let samples = try RecordedFile.samples(url("a.wav"))
            #expect(Double(samples.count) >= before * 16_000 - 1 && isComplete(samples))
            recorder.stop()
            #expect(listener.waitForEnd())
            #expect(remains(forSeconds: 0.05) { listener.events == [.finished(true)] })
            #expect(listener.isAlwaysOnMain)
        }

        @Test("a stop of a paused recording keeps everything") func stopPaused() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.1 })
            recorder.pause()
            let frames = recorder.currentTime * 16_000
            recorder.stop()
            let samples = try RecordedFile.samples(url("a.wav"))
            // The device pauses a moment later.
            let excess = Double(samples.count) - frames
            #expect(excess >= -1 && excess < 16_000 * HostClock.bound(0.05), "\(excess)")
            #expect(isComplete(samples))
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("after a stop, another recording replaces the file") func overwrite() throws {
            let recorder = try makeRecorder("a.wav", pace: .asFastAsRoomAllows)
            #expect(recorder.record(forDuration: 2))
            try #require(listener.waitForEnd())
            try expectEqual(RecordedFile.samples(url("a.wav")).count, 32_000)
            #expect(recorder.record(forDuration: 0.5))
            try #require(eventually { listener.events.count == 2 })
            let samples = try RecordedFile.samples(url("a.wav"))
            #expect(samples.count == 8000 && isComplete(samples))
        }

        @Test("the release of a recorder completes the file") func release() throws {
            var recorder: AVAudioRecorder? = try makeRecorder("a.caf")
            expectEqual(recorder?.record(), true)
            try #require(eventually { recorder?.currentTime ?? 0 > 0.1 })
            recorder = nil
            #expect(RecordedFile.descriptors(url("a.caf")).isEmpty)
            let samples = try RecordedFile.samples(url("a.caf"))
            #expect(samples.count >= 1599 && isComplete(samples))
        }

        // MARK: Times

        @Test("a recording waits for its time, and counts as recording") func atTime() throws {
            let recorder = try makeRecorder("a.wav")
            let start = recorder.deviceCurrentTime
            #expect(recorder.record(atTime: start + 0.3, forDuration: 0.1))
            #expect(recorder.isRecording && recorder.currentTime == 0)
            try #require(listener.waitForEnd())
            let elapsed = recorder.deviceCurrentTime - start
            #expect(elapsed >= 0.39 && elapsed < 0.4 + HostClock.bound(0.5), "\(elapsed)")
            try expectEqual(RecordedFile.samples(url("a.wav")).count, 1600)
        }

        @Test("a stop before the time leaves a file without audio") func stopBeforeTime() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record(atTime: recorder.deviceCurrentTime + 30))
            recorder.stop()
            #expect(!recorder.isRecording)
            try expectEqual(RecordedFile.samples(url("a.wav")), [])
            #expect(listener.waitForEnd() && listener.events == [.finished(true)])
        }

        @Test("a time that is no time, or too far ahead, is refused", arguments: [.nan, .infinity, 1e6])
        func noTime(seconds: Double) throws {
            let recorder = try makeRecorder("a.wav")
            #expect(!recorder.record(atTime: recorder.deviceCurrentTime + seconds))
            #expect(!recorder.isRecording)
            #expect(recorder.record(atTime: -1) && recorder.isRecording)
        }

        @Test("a time is ignored after a pause, so that nothing is lost") func timeAfterPause() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.1 })
            recorder.pause()
            #expect(recorder.record(atTime: .infinity))
            try #require(eventually { recorder.currentTime > 0.2 })
            recorder.stop()
            let samples = try RecordedFile.samples(url("a.wav"))
            #expect(samples.count >= 3199 && isComplete(samples))
        }
    }
}
