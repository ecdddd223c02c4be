// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The cycles of a block on a queue that the test runs.
@Suite("Cycles on a dispatch queue") struct QueuedCyclesTests {
    /// A dispatch queue whose work the test runs.
    private final class TestQueue: Sendable {
        private let waiting = Monitor<[@Sendable () -> Void]>([])

        func append(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

        func run() {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for work in all { work() }
        }
    }

    private let gate = RenderGate()
    private let waiting = TestQueue()
    private let calls = Tally()

    init() { gate.open() }

    private func queue(outputChannels: Int, runsAtOnce: Bool = false) -> QueuedCycles {
        let shape = DeviceCycle.Shape(frames: 512, inputChannels: 1, outputChannels: outputChannels)
        let code = unsafe ProcedureCode { [calls] _, _, _, output, _ in
            calls.add()
            let list = unsafe UnsafeMutableAudioBufferListPointer(output)
            guard let buffer = unsafe list.first else { return }
            let samples = unsafe UnsafeMutableBufferPointer<Float>(buffer)
            for index in samples.indices { unsafe samples[index] = 0.5 }
        }
        return QueuedCycles(
            code, gate, shape, sampleRate: 48000,
            submit: SendableSubmit { [waiting] work in
                if runsAtOnce { work() } else { waiting.append(work) }
            })
    }

    @Test("with output are waited for, until a deadline") func output() throws {
        let queue = queue(outputChannels: 2)
        let cycle = try #require(queue.take())
        let start = aq_host_time()
        #expect(!queue.call(cycle, until: start + 20_000_000))
        #expect(aq_host_time() >= start + 20_000_000)
        // The block has the memory until it returns.
        #expect(queue.take() == nil)
        waiting.run()
        expectEqual(calls.now, 1)
        #expect(queue.take() === cycle)
    }

    @Test("with output return it, as much as the block has left") func inTime() throws {
        let queue = queue(outputChannels: 1, runsAtOnce: true)
        let cycle = try #require(queue.take())
        #expect(queue.call(cycle, until: aq_host_time() + 10_000_000_000))
        let target = DeviceCycle(DeviceCycle.Shape(frames: 512, inputChannels: 0, outputChannels: 1))
        unsafe cycle.output[0].mDataByteSize = 8
        unsafe cycle.copyOutput(to: target.output.unsafeMutablePointer)
        let samples = unsafe UnsafeMutableBufferPointer<Float>(target.output[0])
        unsafe expectEqual(Array(samples.prefix(3)), [0.5, 0.5, 0])
        cycle.prepareOutput(frames: 512)
        unsafe expectEqual(cycle.output[0].mDataByteSize, 2048)
        queue.giveBack(cycle)
        #expect(queue.take() === cycle)
    }

    @Test("without output wait in the queue for half a second") func input() {
        let queue = queue(outputChannels: 0)
        var count = 0
        while let cycle = queue.take() {
            queue.call(cycle)
            count += 1
        }
        expectEqual(count, 46)
        waiting.run()
        expectEqual(calls.now, count)
        #expect(queue.take() != nil)
    }

    @Test("are not called after the end, and nobody waits for them") func end() throws {
        let queue = queue(outputChannels: 1)
        gate.close()
        queue.close()
        let cycle = try #require(queue.take())
        #expect(!queue.call(cycle, until: .max / 2))
        waiting.run()
        expectEqual(calls.now, 0)
    }
}
