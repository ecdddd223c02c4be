// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport
import Testing

@testable import AudioQueues

/// One random sequence of calls on an input queue, from one or two threads and from callbacks.
final class RecordingFuzzSequence: Sendable {
    let device = ManualSource()
    let format: AudioStreamBasicDescription
    let heldSeconds: Double
    /// Whether a separate thread runs the callbacks.
    let hasContext: Bool
    let callbackRandom: Monitor<SplitMix>
    let callbackBudget: Atomic<Int>
    let mayCallBack = Atomic<Bool>(true)
    let problems = Monitor<[String]>([])
    let enqueued = Atomic<Int>(0)
    let returned = Atomic<Int>(0)
    /// The end of the last returned buffer on the timeline.
    let latestEnd = Monitor<Double>(0)

    init(random: inout SplitMix) {
        let formats: [AudioStreamBasicDescription] = [
            .signedInteger(bits: 16, channels: 1, sampleRate: 48000),
            .float(bits: 64, channels: 2, sampleRate: 44100),
            .signedInteger(bits: 8, channels: 2, sampleRate: 44100),
        ]
        format = formats[Int.random(in: 0..<formats.count, using: &random)]
        heldSeconds = random.chance(2) ? 0 : 0.01
        hasContext = random.chance(3)
        callbackRandom = Monitor(SplitMix(random.next()))
        callbackBudget = Atomic(random.chance(3) ? 0 : 60)
    }

    func note(_ problem: String) { problems.withLock { $0.append(problem) } }

    func attempt(_ name: String, _ call: () throws(QueueError) -> Void) {
        let began = aq_host_time()
        do throws(QueueError) {
            try call()
        } catch {
            let expected = FuzzSequence.expectedCodes.union([.bufferEnqueuedTwice])
            if !expected.contains(error.code) { note("\(name): \(error.code), \(error)") }
        }
        // No call should reach its time limit here.
        if aq_host_time() - began > 1_900_000_000 { note("\(name) waited in vain") }
    }

    func makeQueue() throws -> InputQueue {
        try InputQueue(
            format: format, device: device, configuration: .init(heldSeconds: heldSeconds),
            context: hasContext ? CallbackThread() : nil
        ) { [self] queue, buffer, info in callback(queue, buffer, info) }
    }

    private func callback(_ queue: InputQueue, _ buffer: QueueBuffer, _ info: InputBufferInfo) {
        if !mayCallBack.load(ordering: .sequentiallyConsistent) { note("callback after dispose") }
        returned.add(1, ordering: .sequentiallyConsistent)
        check(buffer, info)
        guard callbackBudget.subtract(1, ordering: .relaxed).newValue > 0 else { return }
        var random = callbackRandom.withLock { SplitMix($0.next()) }
        if random.chance(10) { usleep(UInt32.random(in: 0..<2000, using: &random)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: enqueue(buffer, on: queue)
        case 3: attempt("free", { () throws(QueueError) in try queue.free(buffer) })
        case 4: act(on: queue, random: &random, isInCallback: true)
        default: break
        }
    }

    /// Timelines have no overlaps, and gaps only where frames were lost, or at a new start.
    private func check(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
        if buffer.byteCount != info.packetCount * Int(format.mBytesPerFrame) {
            note("\(buffer.byteCount) bytes of \(info.packetCount) packets")
        }
        guard info.packetCount > 0 else { return }
        latestEnd.withLock { end in
            let expected = info.sampleTime - Double(info.lostFramesBefore)
            if expected != end && expected != 0 { note("\(info) behind \(end)") }
            end = info.sampleTime + Double(info.packetCount)
        }
    }

    private func enqueue(_ buffer: QueueBuffer, on queue: InputQueue) {
        // Counted before, because the callback may run before the call returns.
        enqueued.add(1, ordering: .sequentiallyConsistent)
        do throws(QueueError) {
            try queue.enqueue(buffer)
        } catch {
            enqueued.subtract(1, ordering: .sequentiallyConsistent)
            if !FuzzSequence.expectedCodes.contains(error.code) { note("enqueue: \(error)") }
        }
    }

    private func enqueueNew(on queue: InputQueue, random: inout SplitMix) {
        let bytes = Int.random(in: 1..<400, using: &random) * Int(format.mBytesPerFrame)
        do throws(QueueError) {
            enqueue(try queue.allocateBuffer(byteCapacity: bytes), on: queue)
        } catch {
            if error.code != .disposalPending { note("allocate: \(error)") }
        }
    }

    func act(on queue: InputQueue, random: inout SplitMix, isInCallback: Bool) {
        switch Int.random(in: 0..<45, using: &random) {
        case 0...4: attempt("start", { () throws(QueueError) in try queue.start() })
        case 5: attempt("stop", { () throws(QueueError) in try queue.stop(immediate: true) })
        case 6: attempt("stop", { () throws(QueueError) in try queue.stop(immediate: false) })
        case 7: attempt("pause", { () throws(QueueError) in try queue.pause() })
        case 8: attempt("reset", { () throws(QueueError) in try queue.reset() })
        case 9, 10: attempt("flush", { () throws(QueueError) in try queue.flush() })
        case 11...15:
            for _ in 0..<Int.random(in: 1..<6, using: &random) { enqueueNew(on: queue, random: &random) }
        case 16 where random.chance(4):
            for _ in 0..<300 { enqueueNew(on: queue, random: &random) }
        case 17: attempt("time", { () throws(QueueError) in _ = try queue.currentTime() })
        case 18:
            queue.setInputGain(Float.random(in: -1...2, using: &random))
            queue.isMeteringEnabled.toggle()
            _ = queue.levels()
            _ = queue.overrunCount
        case 19: listen(to: queue, random: &random)
        case 20 where random.chance(3): device.interrupt()
        case 21: device.resume(missingFrames: Int.random(in: 0..<500, using: &random))
        case 22 where random.chance(3): device.fail(DeviceError(.connectionLost, "injected"))
        case 23 where random.chance(10): dispose(queue, immediate: true, isInCallback: isInCallback)
        case 24 where random.chance(10): dispose(queue, immediate: false, isInCallback: isInCallback)
        case 25: device.captureHole(frames: Int.random(in: 0..<300, using: &random))
        case 26...32:
            // Captured between two buffers, and so lost or held.
            capture(random: &random)
            enqueueNew(on: queue, random: &random)
            capture(random: &random)
        case 34: attempt("device", { () throws(QueueError) in try queue.setDevice(device) })
        case 33: device.captureSilence(frames: Int.random(in: 0..<1500, using: &random))
        default: capture(random: &random)
        }
    }

    /// Captures audio, which is lost where it is not silence.
    private func capture(random: inout SplitMix) {
        let bytes = [UInt8](repeating: 1, count: Int.random(in: 0..<3000, using: &random))
        unsafe bytes.withUnsafeBytes { unsafe device.capture($0) }
    }

    private func listen(to queue: InputQueue, random: inout SplitMix) {
        let isRemoved = random.chance(2)
        let property = InputQueue.Property.allCases[Int.random(in: 0..<4, using: &random)]
        attempt("listen") { () throws(QueueError) in
            let token = try queue.addListener(for: property) { [self] queue in
                if !mayCallBack.load(ordering: .sequentiallyConsistent) { note("listener after dispose") }
                _ = queue.isRunning
            }
            if isRemoved { queue.removeListener(token) }
        }
    }

    func dispose(_ queue: InputQueue, immediate: Bool, isInCallback: Bool) {
        attempt("dispose") { () throws(QueueError) in
            try queue.dispose(immediate: immediate)
            if !isInCallback { mayCallBack.store(false, ordering: .sequentiallyConsistent) }
        }
    }

    func run(random: inout SplitMix) throws {
        var queue: InputQueue? = try makeQueue()
        let other = Atomic<Bool>(true)
        if random.chance(2), let shared = queue {
            let seed = random.next()
            other.store(false, ordering: .releasing)
            try QueueThread.start(named: "fuzz") { [self] in
                var random = SplitMix(seed)
                for _ in 0..<20 { act(on: shared, random: &random, isInCallback: false) }
                other.store(true, ordering: .releasing)
            }
        }
        if let queue {
            for _ in 0..<Int.random(in: 1..<60, using: &random) {
                act(on: queue, random: &random, isInCallback: false)
            }
            if !eventually({ other.load(ordering: .acquiring) }) { note("the other thread hangs") }
            finish(queue, random: &random)
        }
        queue = nil
        let isGone = eventually {
            liveQueues == 0
                && liveBuffers == 0 && device.openStreams == 0
        }
        if !isGone { note("something is left alive") }
    }

    /// Ends like one of several types of client.
    private func finish(_ queue: InputQueue, random: inout SplitMix) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: dispose(queue, immediate: true, isInCallback: false)
        case 1: dispose(queue, immediate: false, isInCallback: false)
        case 2:
            // Nothing is enqueued or started any more: a stop must return every buffer.
            callbackBudget.store(0, ordering: .sequentiallyConsistent)
            if !waitUntilQuiet(queue) { note("callbacks hang") }
            attempt("last stop") { () throws(QueueError) in
                if queue.core.monitor.withLock({ $0.machine.state == .stopped }) {
                    try queue.reset()
                } else {
                    try queue.stop(immediate: true)
                }
                let missing =
                    enqueued.load(ordering: .sequentiallyConsistent)
                    - returned.load(ordering: .sequentiallyConsistent)
                if missing != 0 { note("\(missing) buffers not returned") }
            }
        default: break
        }
    }

    /// Waits until no event and no callback is pending.
    private func waitUntilQuiet(_ queue: InputQueue) -> Bool {
        var quietRounds = 0
        return eventually {
            let isQuiet = queue.core.monitor.withLock { state in
                state.delivery.isEmpty && !state.delivery.isDelivering && state.resets.isEmpty
                    && state.tasks.isEmpty && !state.tasks.isDelivering
            }
            quietRounds = isQuiet ? quietRounds + 1 : 0
            return quietRounds > 5
        }
    }
}

extension AllTests {
    @Suite("Random calls on a recording") struct RecordingFuzzTests {
        @Test("random sequences of calls end without a trap, a hang, a leak or a gap in time")
        func sequences() throws {
            for index in 0..<FuzzTests.sequences {
                let seed = Environment.firstSeed + UInt64(index)
                let isDone = Atomic<Bool>(false)
                let problems = Monitor<[String]>([])
                try QueueThread.start(named: "fuzz") {
                    var random = SplitMix(seed)
                    let sequence = RecordingFuzzSequence(random: &random)
                    do {
                        try sequence.run(random: &random)
                    } catch {
                        sequence.note("\(error)")
                    }
                    let found = sequence.problems.withLock { $0 }
                    problems.withLock { $0 = found }
                    isDone.store(true, ordering: .releasing)
                }
                guard eventually(within: 30, { isDone.load(ordering: .acquiring) }) else {
                    Issue.record("seed \(seed) hangs")
                    return
                }
                let found = problems.withLock { $0 }
                #expect(found.isEmpty, "seed \(seed)")
                guard eventually({ liveThreads == 0 }) else {
                    Issue.record("seed \(seed) leaves threads")
                    return
                }
            }
        }
    }
}
