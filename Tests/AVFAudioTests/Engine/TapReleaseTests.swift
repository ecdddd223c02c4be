// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

/// The end of a tap: its block is released, so that the file that it writes is closed.
@Suite("The blocks of removed taps", .serialized, .besideOthers, .engineServer, .timeLimit(.minutes(2)))
struct TapReleaseTests {
    /// An object that only a block keeps alive.
    private final class Kept: Sendable {
        private let released: Released
        init(_ released: Released) { self.released = released }
        deinit { released.note() }
    }

    private final class Released: Sendable {
        private let release = Mutex<(thread: UInt, time: UInt64)?>(nil)
        private let calls = Atomic<Int>(0)

        func note() { release.withLock { $0 = (UInt(pthread_self()), HostClock.now) } }
        func call() { calls.add(1, ordering: .relaxed) }
        var hasBeenCalled: Bool { calls.load(ordering: .relaxed) > 0 }

        /// Waits for the release; returns the seconds since a time, and whether a thread of the library has made it.
        func wait(since time: UInt64) -> (seconds: Double, isElsewhere: Bool)? {
            guard OfflineRig.wait(5, until: { release.withLock { $0 != nil } }) else { return nil }
            return release.withLock { $0 }.map {
                (HostClock.seconds(from: time, to: $0.time), $0.thread != UInt(pthread_self()))
            }
        }
    }

    enum End: CaseIterable {
        case removedThenStopped, stoppedThenRemoved, removedBeforeStart, removedWhileRunning, paused
        case replaced, detached, engineReleased
    }

    private func install(_ node: AVAudioNode, _ released: Released) {
        let kept = Kept(released)
        node.installTap(onBus: 0, bufferSize: 512, format: nil) { [kept] _, _ in
            withExtendedLifetime(kept) { released.call() }
        }
    }

    private func expectRelease(_ released: Released, since time: UInt64) throws {
        let (seconds, isElsewhere) = try #require(released.wait(since: time), "not released within 5 s")
        // A busy machine is late.
        #expect(seconds < 1, "\(seconds) s")
        #expect(isElsewhere, "released by the client's thread")
    }

    @Test("are released soon, on a queue, when a device renders", arguments: End.allCases)
    func device(end: End) throws {
        var engine: AVAudioEngine? = AVAudioEngine()
        let player = AVAudioPlayerNode()
        engine?.attach(player)
        if let mixer = engine?.mainMixerNode { engine?.connect(player, to: mixer, format: nil) }
        let released = Released()
        install(player, released)
        if end != .removedBeforeStart {
            try engine?.start()
            #expect(OfflineRig.wait(5) { released.hasBeenCalled })
        }
        let time = HostClock.now
        switch end {
        case .removedThenStopped:
            player.removeTap(onBus: 0)
            engine?.stop()
        case .stoppedThenRemoved:
            engine?.stop()
            player.removeTap(onBus: 0)
        case .removedBeforeStart, .removedWhileRunning: player.removeTap(onBus: 0)
        case .paused:
            engine?.pause()
            player.removeTap(onBus: 0)
        case .replaced: player.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        case .detached: engine?.detach(player)
        case .engineReleased: engine = nil
        }
        try expectRelease(released, since: time)
        withExtendedLifetime(engine) { $0?.stop() }
    }

    @Test("are released soon if the microphone is tapped, and nothing is connected")
    func microphone() throws {
        let engine = AVAudioEngine()
        let released = Released()
        install(engine.inputNode, released)
        try engine.start()
        #expect(OfflineRig.wait(5) { released.hasBeenCalled })
        let time = HostClock.now
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
        try expectRelease(released, since: time)
    }

    @Test("are released soon in manual rendering, although no slice follows")
    func manual() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        let released = Released()
        install(player, released)
        try rig.engine.start()
        _ = try rig.render(2_048)
        #expect(released.hasBeenCalled)
        let time = HostClock.now
        player.removeTap(onBus: 0)
        try expectRelease(released, since: time)
        rig.engine.stop()
    }

    @Test("of a node without an engine are released soon")
    func unattached() throws {
        let player = AVAudioPlayerNode()
        let released = Released()
        install(player, released)
        let time = HostClock.now
        player.removeTap(onBus: 0)
        try expectRelease(released, since: time)
    }

    @Test("the block of a detached source node is released soon", arguments: [false, true])
    func source(rendersManually: Bool) throws {
        let rig = try OfflineRig()
        if !rendersManually { rig.engine.disableManualRenderingMode() }
        let released = Released()
        var kept: Kept? = Kept(released)
        var source: AVAudioSourceNode? = unsafe AVAudioSourceNode { [kept] isSilence, _, _, _ in
            unsafe isSilence.pointee = true
            withExtendedLifetime(kept) { released.call() }
            return noErr
        }
        kept = nil
        if let source {
            rig.engine.attach(source)
            rig.engine.connect(source, to: rig.engine.mainMixerNode, format: nil)
        }
        try rig.engine.start()
        if rendersManually { _ = try rig.render(512) }
        #expect(OfflineRig.wait(5) { released.hasBeenCalled })
        rig.engine.stop()
        let time = HostClock.now
        if let source { rig.engine.detach(source) }
        source = nil
        let (seconds, _) = try #require(released.wait(since: time), "not released within 5 s")
        #expect(seconds < 1, "\(seconds) s")
    }

    @Test("a file that only the block of a tap keeps is complete soon after the end")
    func file() throws {
        let folder = ScratchFolder()
        let url = URL(fileURLWithPath: folder.file("tap.wav"))
        let engine = AVAudioEngine()
        let input = engine.inputNode
        let format = input.outputFormat(forBus: 0)
        let written = Atomic<Int>(0)
        func install() throws {
            let file = try AVAudioFile(forWriting: url, settings: format.settings)
            input.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, _ in
                guard (try? file.write(from: buffer)) != nil else { return }
                written.add(Int(buffer.frameLength), ordering: .relaxed)
            }
        }
        try install()
        try engine.start()
        #expect(OfflineRig.wait(5) { written.load(ordering: .relaxed) > 9_600 })
        input.removeTap(onBus: 0)
        engine.stop()
        #expect(OfflineRig.wait(1) { RecordedFile.descriptors(url).isEmpty })
        let length = try AVAudioFile(forReading: url).length
        expectEqual(length, Int64(written.load(ordering: .relaxed)))
    }
}
