// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import AQTestSupport
import Testing

extension RecordingTests {
    @Suite("AVAudioApplication") struct AVAudioApplicationTests {
        private let application = AVAudioApplication.shared

        @Test("a program may always record") func permission() async {
            expectEqual(application.recordPermission, .granted)
            expectEqual(AVAudioSession.sharedInstance().recordPermission, .granted)
            #expect(await AVAudioApplication.requestRecordPermission())
            let byHandler = await withCheckedContinuation { continuation in
                AVAudioApplication.requestRecordPermission { continuation.resume(returning: $0) }
            }
            let bySession = await withCheckedContinuation { continuation in
                AVAudioSession.sharedInstance().requestRecordPermission { continuation.resume(returning: $0) }
            }
            #expect(byHandler && bySession)
            expectEqual(AVAudioApplication.recordPermission.undetermined.rawValue, 1_970_168_948)
        }

        private final class Seen: Sendable {
            let handled = Mutex<[Bool]>([])
            let posted = Mutex<[Bool?]>([])
        }

        @Test("a change of muting calls the handler, and is then posted") func muting() throws {
            let seen = Seen()
            let token = NotificationCenter.default.addObserver(
                forName: AVAudioApplication.inputMuteStateChangeNotification, object: application, queue: nil
            ) { notification in
                let value = notification.userInfo?[AVAudioApplication.muteStateKey] as? Bool
                seen.posted.withLock { $0.append(value) }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try application.setInputMuteStateChangeHandler { isMuted in
                seen.handled.withLock { $0.append(isMuted) }
                return true
            }
            #expect(!application.isInputMuted)
            try application.setInputMuted(true)
            try application.setInputMuted(true)
            #expect(application.isInputMuted)
            try application.setInputMuted(false)
            #expect(!application.isInputMuted)
            expectEqual(seen.handled.withLock { $0 }, [true, false])
            #expect(eventually { seen.posted.withLock { $0 } == [true, false] })
            try application.setInputMuteStateChangeHandler(nil)
        }

        @Test("a handler may refuse, which throws 'what'") func refusal() throws {
            try application.setInputMuteStateChangeHandler { _ in false }
            let code = thrownCode { try application.setInputMuted(true) }
            #expect(code == AVAudioSession.ErrorCode.unspecified.rawValue && !application.isInputMuted)
            try application.setInputMuteStateChangeHandler(nil)
        }
    }
}
