// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport
import Testing

@testable import AudioQueues

/// One random sequence of calls, from one or two threads and from callbacks.
final class FuzzSequence: Sendable {
    /// Possible errors of a call at the wrong time.
    static let expectedCodes: Set<QueueError.Code> = [
        .disposalPending, .enqueueDuringReset, .cannotStartYet, .bufferInQueue, .invalidRunState,
        .invalidBuffer, .queueInvalidated,
    ]

    let device = ManualDevice()
    let format: AudioStreamBasicDescription
    let callbackRandom: Monitor<SplitMix>
    let callbackBudget: Atomic<Int>
    /// Whether a call may have freed every buffer: a client must not write into one then.
    let isDisposed = Monitor<Bool>(false)
    let mayCallBack = Atomic<Bool>(true)
    let problems = Monitor<[String]>([])
    let enqueued = Atomic<Int>(0)
    let returned = Atomic<Int>(0)

    init(random: inout SplitMix) {
        let formats: [AudioStreamBasicDescription] = [
            .signedInteger(bits: 16, channels: 1, sampleRate: 48000),
            .encoded(kAudioFormatULaw, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000),
            .signedInteger(bits: 8, channels: 2, sampleRate: 44100),
        ]
        format = formats[Int.random(in: 0..<formats.count, using: &random)]
        callbackRandom = Monitor(SplitMix(random.next()))
        callbackBudget = Atomic(random.chance(3) ? 0 : 60)
    }

    func note(_ problem: String) { problems.withLock { $0.append(problem) } }

    func attempt(_ name: String, _ call: () throws(QueueError) -> Void) {
        do throws(QueueError) {
            try call()
        } catch {
            if !FuzzSequence.expectedCodes.contains(error.code) { note("\(name): \(error.code), \(error)") }
        }
    }

    func makeQueue() throws -> OutputQueue {
        try OutputQueue(
            format: format, device: device, configuration: .init(decodeAheadSeconds: 0.05)
        ) { [self] queue, buffer in callback(queue, buffer) }
    }

    private func callback(_ queue: OutputQueue, _ buffer: QueueBuffer) {
        if !mayCallBack.load(ordering: .sequentiallyConsistent) { note("callback after dispose") }
        returned.add(1, ordering: .sequentiallyConsistent)
        guard callbackBudget.subtract(1, ordering: .relaxed).newValue > 0 else { return }
        var random = callbackRandom.withLock { SplitMix($0.next()) }
        if random.chance(10) { usleep(UInt32.random(in: 0..<2000, using: &random)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: enqueue(buffer, on: queue, random: &random)
        case 3: attempt("free", { () throws(QueueError) in try queue.free(buffer) })
        case 4: act(on: queue, random: &random, isInCallback: true)
        default: break
        }
    }

    private func enqueue(_ buffer: QueueBuffer, on queue: OutputQueue, random: inout SplitMix) {
        let trim = random.chance(4) ? Int.random(in: 0..<200, using: &random) : 0
        // Counted before, because the callback may run before the call returns.
        enqueued.add(1, ordering: .sequentiallyConsistent)
        do throws(QueueError) {
            try queue.enqueue(buffer, trimFramesAtStart: trim, trimFramesAtEnd: trim / 2)
        } catch {
            enqueued.subtract(1, ordering: .sequentiallyConsistent)
            if !FuzzSequence.expectedCodes.contains(error.code) { note("enqueue: \(error)") }
        }
    }

    private func enqueueNew(on queue: OutputQueue, random: inout SplitMix) {
        let frames = Int.random(in: 1..<400, using: &random)
        let bytes = frames * Int(format.mBytesPerPacket)
        do throws(QueueError) {
            let buffer = try queue.allocateBuffer(byteCapacity: bytes)
            let isFilled = isDisposed.withLock { isDisposed in
                if !isDisposed { buffer.byteCount = bytes }
                return !isDisposed
            }
            if isFilled { enqueue(buffer, on: queue, random: &random) }
        } catch {
            if error.code != .disposalPending { note("allocate: \(error)") }
        }
    }

    func act(on queue: OutputQueue, random: inout SplitMix, isInCallback: Bool) {
        switch Int.random(in: 0..<30, using: &random) {
        case 0...4: attempt("start", { () throws(QueueError) in try queue.start() })
        case 5: attempt("stop", { () throws(QueueError) in try queue.stop(immediate: true) })
        case 6: attempt("stop", { () throws(QueueError) in try queue.stop(immediate: false) })
        case 7: attempt("pause", { () throws(QueueError) in try queue.pause() })
        case 8: attempt("reset", { () throws(QueueError) in try queue.reset() })
        case 9: attempt("flush", { () throws(QueueError) in try queue.flush() })
        case 10:
            let frames = random.chance(2) ? 0 : Int.random(in: 0..<5000, using: &random)
            attempt("prime", { () throws(QueueError) in _ = try queue.prime(frames: frames) })
        case 11...15:
            for _ in 0..<Int.random(in: 1..<6, using: &random) { enqueueNew(on: queue, random: &random) }
        case 16 where random.chance(4):
            for _ in 0..<300 { enqueueNew(on: queue, random: &random) }
        case 17: attempt("time", { () throws(QueueError) in _ = try queue.currentTime() })
        case 18:
            queue.setVolume(Float.random(in: -1...2, using: &random), rampSeconds: 0.01)
            queue.isMeteringEnabled.toggle()
            _ = queue.levels()
        case 19:
            attempt(
                "listen",
                { () throws(QueueError) in
                    let token = try queue.addListener(for: .isRunning) { [self] queue in
                        if !mayCallBack.load(ordering: .sequentiallyConsistent) {
                            note("listener after dispose")
                        }
                        _ = queue.isRunning
                    }
                    if random.chance(2) { queue.removeListener(token) }
                })
        case 20: device.interrupt()
        case 21: device.resume()
        case 22 where random.chance(3): device.fail(DeviceError(.connectionLost, "injected"))
        case 23 where random.chance(10): dispose(queue, immediate: true, isInCallback: isInCallback)
        case 24 where random.chance(10): dispose(queue, immediate: false, isInCallback: isInCallback)
        case 25: attempt("cookie", { () throws(QueueError) in try queue.setMagicCookie([1]) })
        default: device.render(frames: Int.random(in: 0..<3000, using: &random))
        }
    }

    func dispose(_ queue: OutputQueue, immediate: Bool, isInCallback: Bool) {
        isDisposed.withLock { $0 = true }
        do throws(QueueError) {
            try queue.dispose(immediate: immediate)
            if !isInCallback { mayCallBack.store(false, ordering: .sequentiallyConsistent) }
        } catch {
            if error.code != .disposalPending { note("dispose: \(error)") }
        }
    }

    func run(random: inout SplitMix) throws {
        var queue: OutputQueue? = try makeQueue()
        let other = Atomic<Bool>(false)
        let hasOther = random.chance(2)
        if hasOther, let shared = queue {
            let seed = random.next()
            try QueueThread.start(named: "fuzz") { [self] in
                var random = SplitMix(seed)
                for _ in 0..<20 { act(on: shared, random: &random, isInCallback: false) }
                other.store(true, ordering: .releasing)
            }
        } else {
            other.store(true, ordering: .releasing)
        }
        if let queue {
            for _ in 0..<Int.random(in: 1..<40, using: &random) {
                act(on: queue, random: &random, isInCallback: false)
            }
            if !eventually({ other.load(ordering: .acquiring) }) { note("the other thread hangs") }
            finish(queue, random: &random)
        }
        queue = nil
        device.resume()
        let isGone = eventually {
            device.render(frames: 2000)
            return liveQueues == 0
                && liveBuffers == 0
        }
        if !isGone { note("something is left alive") }
    }

    /// Ends like one of several types of client.
    private func finish(_ queue: OutputQueue, random: inout SplitMix) {
        device.resume()
        switch Int.random(in: 0..<4, using: &random) {
        case 0: dispose(queue, immediate: true, isInCallback: false)
        case 1: dispose(queue, immediate: false, isInCallback: false)
        case 2:
            // Nothing is enqueued or started any more: a stop must return every buffer.
            callbackBudget.store(0, ordering: .sequentiallyConsistent)
            let isQuiet = eventually {
                queue.core.monitor.withLock { state in
                    state.delivery.isEmpty && !state.delivery.isDelivering && state.resets.isEmpty
                }
            }
            if !isQuiet { note("callbacks hang") }
            do throws(QueueError) {
                if queue.core.monitor.withLock({ $0.machine.state == .stopped }) {
                    try queue.reset()
                } else {
                    try queue.stop(immediate: true)
                }
                let missing =
                    enqueued.load(ordering: .sequentiallyConsistent)
                    - returned.load(ordering: .sequentiallyConsistent)
                if missing != 0 { note("\(missing) buffers not returned") }
            } catch {
                if error.code != .disposalPending { note("last stop: \(error)") }
            }
        default: break
        }
    }
}

extension AllTests {
    @Suite("Random calls") struct FuzzTests {
        static let sequences = Environment.isLong ? 10_000 : 300

        @Test("random sequences of calls end without a trap, a hang or a leak")
        func sequences() throws {
            for index in 0..<Self.sequences {
                let seed = Environment.firstSeed + UInt64(index)
                let isDone = Atomic<Bool>(false)
                let problems = Monitor<[String]>([])
                let began = aq_host_time()
                let body: @Sendable () -> Void = {
                    var random = SplitMix(seed)
                    let sequence = FuzzSequence(random: &random)
                    do {
                        try sequence.run(random: &random)
                    } catch {
                        sequence.note("\(error)")
                    }
                    let found = sequence.problems.withLock { $0 }
                    problems.withLock { $0 = found }
                    isDone.store(true, ordering: .releasing)
                }
                try QueueThread.start(named: "fuzz", body)
                guard eventually(within: 30, { isDone.load(ordering: .acquiring) }) else {
                    Issue.record("seed \(seed) hangs")
                    return
                }
                let seconds = Double(aq_host_time() - began) / 1e9
                let found = problems.withLock { $0 }
                #expect(found.isEmpty, "seed \(seed)")
                // No call should reach its time limit here.
                #expect(seconds < 2, "seed \(seed)")
                guard eventually({ liveThreads == 0 }) else {
                    Issue.record("seed \(seed) leaves threads")
                    return
                }
            }
        }
    }
}
