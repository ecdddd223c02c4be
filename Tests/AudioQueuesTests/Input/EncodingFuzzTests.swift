// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes
import AQTestSupport
import Synchronization
import Testing

@testable import AudioQueues

/// One random sequence of calls on a queue that encodes, from two threads and from callbacks.
final class EncodingFuzzSequence: Sendable {
    let device = ManualSource()
    let problems = Monitor<[String]>([])
    private let random: Monitor<SplitMix>
    /// The end of the last returned packet.
    private let latestEnd = Monitor<Double>(-3)
    /// Whether the second thread has ended.
    private let done = Monitor(false)

    init(seed: UInt64) { random = Monitor(SplitMix(seed)) }

    private func choose(_ bound: Int) -> Int { random.withLock { Int.random(in: 0..<bound, using: &$0) } }

    private func note(_ problem: String) { problems.withLock { $0.append(problem) } }

    private func attempt(_ name: String, _ call: () throws(QueueError) -> Void) {
        let began = aq_host_time()
        do throws(QueueError) { try call() } catch {
            let expected: [QueueError.Code] = [
                .bufferEnqueuedTwice, .enqueueDuringReset, .cannotStartYet, .disposalPending, .bufferInQueue,
                .invalidRunState, .tooManyTaps, .invalidTapContext,
            ]
            if !expected.contains(error.code) { note("\(name): \(error.code), \(error)") }
        }
        if aq_host_time() - began > 1_900_000_000 { note("\(name) waited in vain") }
    }

    /// Packets are contiguous, except for reported losses, or start again.
    private func check(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
        if buffer.packetDescriptionCount != info.packetCount {
            note("\(buffer.packetDescriptionCount) descriptions of \(info.packetCount) packets")
        }
        var end: Int64 = 0
        unsafe buffer.packetDescriptions.prefix(buffer.packetDescriptionCount).forEach { packet in
            if packet.mStartOffset != end { note("a packet at \(packet.mStartOffset), not \(end)") }
            end += Int64(packet.mDataByteSize)
        }
        if end != Int64(buffer.byteCount) { note("\(buffer.byteCount) bytes, of which \(end) are packets") }
        guard info.packetCount > 0 else { return }
        latestEnd.withLock { latest in
            let start = info.sampleTime - Double(info.lostFramesBefore)
            if start != latest && start != -3 { note("\(info) behind \(latest)") }
            latest = info.sampleTime + Double(info.packetCount * StubEncoder.framesPerPacket)
        }
    }

    private func act(on queue: InputQueue) {
        switch choose(14) {
        case 0...1: attempt("start", { () throws(QueueError) in try queue.start() })
        case 2: attempt("stop", { () throws(QueueError) in try queue.stop(immediate: true) })
        case 3: attempt("end", { () throws(QueueError) in try queue.stop(immediate: false) })
        case 4: attempt("pause", { () throws(QueueError) in try queue.pause() })
        case 5: attempt("flush", { () throws(QueueError) in try queue.flush() })
        case 6: attempt("reset", { () throws(QueueError) in try queue.reset() })
        case 7...8:
            let packets = choose(6) + 1
            attempt(
                "enqueue",
                { () throws(QueueError) in
                    try queue.enqueue(
                        queue.allocateBuffer(byteCapacity: packets * queue.maximumOutputPacketSize))
                })
        case 9: attempt("device", { () throws(QueueError) in try queue.setDevice(device) })
        case 10:
            let tap = StubTap.changing { $0 }
            attempt("tap", { () throws(QueueError) in _ = try queue.installTap(tap) })
        case 11: attempt("no tap", { () throws(QueueError) in try queue.removeTap() })
        default: break
        }
    }

    func run() throws {
        let queue = try InputQueue(
            core: InputCore(
                format: .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 1, sampleRate: 48_000),
                device: device, configuration: .init(heldSeconds: 0.001),
                context: choose(3) == 0 ? CallbackThread() : nil,
                makeEncoder: { (format, _) throws(QueueError) in StubEncoder(format) }
            ) { [self] queue, buffer, info in
                check(buffer, info)
                switch choose(8) {
                case 0...4: attempt("enqueue", { () throws(QueueError) in try queue.enqueue(buffer) })
                case 5: attempt("free", { () throws(QueueError) in try queue.free(buffer) })
                case 6: act(on: queue)
                default: break
                }
            })
        try QueueThread.start(named: "fuzz") { [self] in
            for _ in 0..<60 { act(on: queue) }
            done.withLock { $0 = true }
        }
        for step in 0..<120 {
            // Integers, or floats with a tap: the bytes do not matter.
            let samples = [Int16](repeating: Int16(step), count: choose(40))
            unsafe samples.withUnsafeBytes { unsafe device.capture($0) }
            if choose(3) == 0 { act(on: queue) }
        }
        if !eventually({ done.withLock { $0 } }) { note("a call never returned") }
        attempt("dispose", { () throws(QueueError) in try queue.dispose(immediate: true) })
    }
}

extension AllTests {
    @Suite("Encoding, at random") struct EncodingFuzzTests {
        @Test("after any calls, packets are contiguous and calls return")
        func sequences() throws {
            for seed in 0..<150 {
                let sequence = EncodingFuzzSequence(seed: UInt64(seed))
                try sequence.run()
                let problems = sequence.problems.withLock { $0 }
                #expect(problems.isEmpty, "seed \(seed): \(problems.prefix(3))")
                if !problems.isEmpty { break }
            }
            #expect(eventually { liveBuffers == 0 })
        }
    }
}
