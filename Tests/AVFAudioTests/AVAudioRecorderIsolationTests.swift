// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import Foundation
import AQTestSupport
import Testing

extension RecordingTests {
    /// Recorders of actors and of classes of the main actor.
    @Suite("Isolation of AVAudioRecorder") struct AVAudioRecorderIsolationTests {
        private let folder = ScratchFolder()

        private var url: URL { URL(fileURLWithPath: folder.file("a.wav")) }

        private static func makeRecorder(_ url: URL) throws -> AVAudioRecorder {
            let devices = SoundDevices.input(VirtualSource(SequenceContent()))
            return try SoundDevices.$current.withValue(devices) {
                try AVAudioRecorder(url: url, settings: [AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1])
            }
        }

        /// A client of the main actor, which is its recorder's delegate.
        @MainActor private final class Memo: NSObject, AVAudioRecorderDelegate {
            private let recorder: AVAudioRecorder
            private var waiting: CheckedContinuation<Bool, Never>?
            private(set) var isFinished = false

            init(_ url: URL) throws {
                recorder = try makeRecorder(url)
                super.init()
                recorder.delegate = self
            }

            func record() async -> Bool {
                guard recorder.record(forDuration: 0.2) else { return false }
                return await withCheckedContinuation { waiting = $0 }
            }

            nonisolated func audioRecorderDidFinishRecording(
                _ recorder: AVAudioRecorder, successfully flag: Bool
            ) {
                Task { @MainActor in
                    isFinished = !recorder.isRecording
                    waiting?.resume(returning: flag)
                }
            }
        }

        @Test("a class of the main actor records, and is the delegate") @MainActor func mainActor()
            async throws
        {
            let memo = try Memo(url)
            #expect(await memo.record())
            #expect(memo.isFinished)
            try expectEqual(RecordedFile.samples(url).count, 3200)
        }

        /// A client that is an actor, and passes its recorder to a task.
        private actor Dictation {
            private let recorder: AVAudioRecorder

            init(_ url: URL) throws { recorder = try makeRecorder(url) }

            func start() -> Bool { recorder.record() }

            func stop(after seconds: TimeInterval) async -> TimeInterval {
                let recorder = recorder
                let watch = Task.detached {
                    while recorder.currentTime < seconds { try await Task.sleep(nanoseconds: 5_000_000) }
                    return recorder.currentTime
                }
                let end = try? await watch.value
                recorder.stop()
                return end ?? 0
            }
        }

        @Test("an actor records, and another task observes the recorder") func actor() async throws {
            let dictation = try Dictation(url)
            #expect(await dictation.start())
            let seconds = await dictation.stop(after: 0.2)
            #expect(seconds >= 0.2)
            #expect(try Double(RecordedFile.samples(url).count) >= seconds * 16_000 - 1)
        }
    }
}
