import AudioDevices
import AudioQueues
import CRealTime
import CoreAudioTypes
import Foundation
import SoundHarness
import Synchronization
import Testing

/// The thread that feeds the server and those that it wakes stay on one processor, and the client's code does not.
@Suite(
    "Callbacks beside the thread that feeds the server", .serialized, .needsSoundServer,
    .timeLimit(.minutes(2)))
struct CallbackProcessorTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    /// The properties of a callback's thread.
    private final class Sights: Sendable {
        private let places = Mutex<[Int32]>([])
        private let narrowest = Atomic<Int>(.max)

        func record() {
            places.withLock { $0.append(aq_processor()) }
            narrowest.store(
                min(processorsAllowed(), narrowest.load(ordering: .relaxed)), ordering: .relaxed)
        }

        var number: Int { places.withLock(\.count) }
        /// The least number of processors on which a callback may run.
        var fewestAllowed: Int { narrowest.load(ordering: .relaxed) }
        /// The number of callbacks, out of fifty consecutive ones, on the most frequent processor.
        func greatestShare(on processor: Int32) -> Double {
            let number = 50
            return places.withLock { places in
                let shares = stride(from: 0, through: places.count - number, by: number).map { start in
                    Double(places[start..<start + number].count { $0 == processor }) / Double(number)
                }
                return shares.max() ?? 0
            }
        }
    }

    /// Three buffers that are enqueued again in each callback, after `body`.
    private func makeQueue(frames: Int, _ body: @escaping @Sendable () -> Void) throws -> OutputQueue {
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48000),
            device: PulseDevice(server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .buffers)
        ) { queue, buffer in
            body()
            // Refused from the stop on.
            try? queue.enqueue(buffer)
        }
        for _ in 0..<3 {
            let buffer = try queue.allocateBuffer(byteCapacity: frames * 8)
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
        return queue
    }

    @Test("callbacks run on the loop's processor, with every processor allowed to the client's code")
    func beside() throws {
        let before = OwnThreads.loops
        let sights = Sights()
        // Three buffers exceed the shortest period, or the server would underrun sometimes; they are as short as
        // possible, so that a callback is short.
        let frames = max(128, SoundServerTraits.chosen.heldBackFrames / 2)
        let queue = try makeQueue(frames: frames) { sights.record() }
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 10) { sights.number >= 500 })
        let loop = try #require(OwnThreads.loops.subtracting(before).first)
        let all = processors(ofThread: getpid()).count
        #expect(sights.fewestAllowed == all)
        // Without real-time priority other processes could delay it.
        if sched_getscheduler(loop) & ~0x4000_0000 == SCHED_RR, all > 1 {
            let place = try #require(processors(ofThread: loop).only)
            // Long work does not run there, and on a slow machine much of it is long.
            #expect(HostClock.poll(upToSeconds: 10) { sights.greatestShare(on: place) >= 0.9 })
        } else {
            #expect(processors(ofThread: loop).count == all)
        }
        try queue.dispose(immediate: true)
        // The loop's next work is for another queue, whose callbacks are not urgent.
        let other = try SignalPlayer(on: server)
        other.play(0..<48_000)
        try other.queue.start()
        #expect(HostClock.poll(upToSeconds: 5) { processors(ofThread: loop).count == all })
        try other.queue.dispose(immediate: true)
    }

    @Test("the loop moves where the kernel schedules it if a queue underruns repeatedly")
    func dry() throws {
        let before = OwnThreads.loops
        let isSlow = Atomic<Bool>(false)
        let queue = try makeQueue(frames: 480) { if isSlow.load(ordering: .relaxed) { usleep(40_000) } }
        try queue.start()
        let all = processors(ofThread: getpid()).count
        #expect(HostClock.poll(upToSeconds: 5) { !OwnThreads.loops.subtracting(before).isEmpty })
        let loop = try #require(OwnThreads.loops.subtracting(before).first)
        if sched_getscheduler(loop) & ~0x4000_0000 == SCHED_RR, all > 1 {
            #expect(HostClock.poll(upToSeconds: 5) { processors(ofThread: loop).count == 1 })
        }
        isSlow.store(true, ordering: .relaxed)
        #expect(HostClock.poll(upToSeconds: 10) { queue.underrunCount > 20 })
        #expect(HostClock.poll(upToSeconds: 5) { processors(ofThread: loop).count == all })
        try queue.dispose(immediate: true)
    }
}

/// The processors on which the kernel may schedule a thread of this process.
private func processors(ofThread thread: Int32) -> [Int32] {
    let status = (try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    let ranges = line?.split(whereSeparator: \.isWhitespace).last?.split(separator: ",") ?? []
    return ranges.flatMap { range in
        let ends = range.split(separator: "-").compactMap { Int32($0) }
        return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
    }
}

/// The number of processors on which the calling thread may run.
private func processorsAllowed() -> Int {
    var set = aq_processors()
    guard unsafe aq_get_processors(&set) == 0 else { return 0 }
    return unsafe withUnsafeBytes(of: &set) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
