// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQSystemSounds

/// Playback of clips on a manual device.
@Suite("Playback of clips") struct ClipPlayerTests {
    private let device: ManualDevice
    private let player: ClipPlayer

    init() {
        let device = ManualDevice()
        self.device = device
        player = ClipPlayer(mostAtOnce: 4) { () throws(DeviceError) -> any OutputDevice in device }
    }

    /// The numbers of the completed playbacks, in order.
    private final class Completed: Sendable {
        private let numbers = Monitor<[UInt32]>([])
        var all: [UInt32] { numbers.withLock { $0 } }
        func add(_ number: UInt32) { numbers.withLock { $0.append(number) } }
    }

    private func play(_ clip: SoundClip, _ number: UInt32 = 1, reportingTo completed: Completed) {
        player.play(clip, number: number, role: .event) { completed.add(number) }
    }

    /// Renders until a number of playbacks are complete, and returns each stream's samples, without those that are 0.
    private func render(until completed: Completed, count: Int) -> [[Int16]] {
        var streams: [[Int16]] = []
        let isComplete = eventually(within: 10) {
            for (index, bytes) in device.render(frames: 480).enumerated() {
                if index == streams.count { streams.append([]) }
                streams[index] += TestClip.samples(of: bytes).filter { $0 != 0 }
            }
            return completed.all.count >= count
        }
        #expect(isComplete)
        return streams
    }

    @Test(
        "every frame is played once, then the completion is called",
        arguments: [1, 100, 36_000, 36_001, 200_000])
    func whole(frames: Int) {
        let completed = Completed()
        let samples = TestClip.counting(from: 1, frames: frames)
        play(TestClip.clip(samples), reportingTo: completed)
        #expect(eventually { device.openStreams == 1 })
        expectEqual(completed.all, [])
        expectEqual(render(until: completed, count: 1), [samples])
        #expect(eventually { device.openStreams == 0 })
        expectEqual(completed.all, [1])
        expectEqual(player.count, 0)
    }

    @Test("sounds overlap") func overlap() {
        let completed = Completed()
        for number in 1...3 {
            play(
                TestClip.clip([Int16](repeating: Int16(number), count: 30_000)), UInt32(number),
                reportingTo: completed)
        }
        #expect(eventually { device.openStreams == 3 })
        let played = render(until: completed, count: 3)
        expectEqual(played.map { Set($0) }, [[1], [2], [3]])
        expectEqual(played.map(\.count), [30_000, 30_000, 30_000])
        expectEqual(completed.all.sorted(), [1, 2, 3])
    }

    @Test("a sound beyond the limit is dropped, and its completion is called at once") func limit() {
        let completed = Completed()
        for number in 1...6 {
            play(
                TestClip.clip(TestClip.counting(from: 1, frames: 960)), UInt32(number), reportingTo: completed
            )
        }
        expectEqual(completed.all, [5, 6])
        expectEqual(player.count, 4)
        #expect(eventually { device.openStreams == 4 })
        _ = render(until: completed, count: 6)
        // There is room again.
        play(TestClip.clip([1, 2, 3]), 7, reportingTo: completed)
        expectEqual(render(until: completed, count: 7).first, [1, 2, 3])
    }

    @Test("a stop ends all playbacks of a sound, and no other") func stop() {
        let completed = Completed()
        let long = TestClip.clip([Int16](repeating: 9, count: 480_000))
        play(long, 1, reportingTo: completed)
        play(long, 2, reportingTo: completed)
        play(long, 1, reportingTo: completed)
        #expect(eventually { device.openStreams == 3 })
        _ = device.render(frames: 960)
        player.stop(1)
        expectEqual(completed.all, [1, 1])
        #expect(eventually { device.openStreams == 1 })
        player.stop(2)
        expectEqual(completed.all, [1, 1, 2])
        player.stop(2)
        expectEqual(completed.all.count, 3)
    }

    @Test("an empty clip is complete at once") func empty() {
        let completed = Completed()
        play(TestClip.clip([]), reportingTo: completed)
        expectEqual(completed.all, [1])
        expectEqual(device.openStreams, 0)
    }

    @Test("without a device a sound is complete, and not played") func noDevice() {
        let completed = Completed()
        let player = ClipPlayer { () throws(DeviceError) -> any OutputDevice in
            throw DeviceError(.refused, "no device")
        }
        player.play(TestClip.clip([1]), number: 1, role: .event) { completed.add(1) }
        expectEqual(completed.all, [1])
        expectEqual(player.count, 0)
    }

    @Test("a device that fails costs only the sound") func failure() {
        let completed = Completed()
        play(TestClip.clip([Int16](repeating: 1, count: 48_000)), reportingTo: completed)
        #expect(eventually { device.openStreams == 1 })
        _ = device.render(frames: 480)
        device.fail(DeviceError(.connectionLost, "the server died"))
        #expect(eventually { completed.all == [1] })
        #expect(eventually { device.openStreams == 0 })
        play(TestClip.clip([5, 6, 7]), 2, reportingTo: completed)
        expectEqual(render(until: completed, count: 2).last, [5, 6, 7])
    }

    @Test("a thousand sounds at once do not need a thousand streams") func many() {
        let completed = Completed()
        let clip = TestClip.clip(TestClip.counting(from: 1, frames: 4800))
        for number in 1...1000 { play(clip, UInt32(number), reportingTo: completed) }
        #expect(device.openStreams <= 4)
        _ = render(until: completed, count: 1000)
        expectEqual(completed.all.sorted(), (1...1000).map { UInt32($0) })
    }

    @Test("sounds are played and stopped from several threads") func threads() {
        let completed = Completed()
        let clip = TestClip.clip(TestClip.counting(from: 1, frames: 480))
        let ended = Monitor(0)
        for thread in 1...4 {
            let status = DetachedThread.start(named: "test") { [self] in
                for round in 1...50 {
                    play(clip, UInt32(thread), reportingTo: completed)
                    if round % 5 == 0 { player.stop(UInt32(round % 4 + 1)) }
                }
                ended.withLock { $0 += 1 }
            }
            expectEqual(status, 0)
        }
        let isComplete = eventually(within: 20) {
            _ = device.render(frames: 480)
            return ended.withLock { $0 } == 4 && completed.all.count == 200
        }
        #expect(isComplete)
        expectEqual(player.count, 0)
    }

    // Each buffer is larger than all before it, so that the allocator returns its memory to the system, and a write to it
    // after its release ends the process.
    @Test("a sound is stopped while its first buffer is filled") func stopAtBegin() {
        let completed = Completed()
        let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: 32, sampleRate: 192_000)
        let isPlaying = Monitor(true)
        let status = DetachedThread.start(named: "test") { [self] in
            while isPlaying.withLock({ $0 }) {
                guard player.count > 0 else { continue }
                usleep(UInt32.random(in: 0...300))
                player.stop(1)
            }
        }
        expectEqual(status, 0)
        for size in stride(from: 50 * 4096, to: 750 * 4096, by: 4096) {
            play(SoundClip(format: format, bytes: [UInt8](repeating: 1, count: size)), reportingTo: completed)
        }
        isPlaying.withLock { $0 = false }
        player.stop(1)
        #expect(eventually { completed.all.count == 700 && device.openStreams == 0 })
    }
}
