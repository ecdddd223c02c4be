// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Speed of a queue") struct SpeedControlTests {
        private let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: 1, sampleRate: 48_000)

        private func queue(_ control: SpeedControl?) throws -> OutputQueue {
            try OutputQueue(
                format: format, device: ManualDevice(),
                configuration: OutputQueue.Configuration(speedControl: control)
            ) { _, _ in }
        }

        @Test("cannot be changed if the queue was made without a method")
        func without() throws {
            let queue = try queue(nil)
            #expect(queue.speed == 1 && !queue.isTimePitchEnabled)
            let error = #expect(throws: QueueError.self) { try queue.setSpeed(2) }
            expectEqual(error?.code, .invalidRunState)
        }

        @Test("a method that is not available is an error of the new queue, with the reason")
        func unavailable() {
            let control = SpeedControl(makeStretcher: { _, _, _ in nil }) { "no method for \($0) channels" }
            let error = #expect(throws: QueueError.self) { try self.queue(control) }
            expectEqual(error?.code, .invalidPropertyValue)
            expectEqual(error?.message, "cannot change the speed: no method for 1 channels")
        }

        @Test("is limited to 0.25 and 4, and the published rate to 0.5 and 2")
        func limits() throws {
            let control = SpeedControl(makeStretcher: { _, _, _ in Thinner() }) { _ in "" }
            let queue = try queue(control)
            for (wanted, expected) in [(1.5, 1.5), (9, 4), (0.1, 0.25), (.nan, 0.25), (4, 4)] {
                try queue.setSpeed(wanted)
                expectEqual(queue.speed, expected)
            }
            try queue.setPlayRate(4)
            expectEqual(queue.speed, 2)
        }
    }
}

/// A stretcher that is never used.
private final class Thinner: TimeStretcher {
    func setRate(_ rate: Double) {}
    func setPitch(cents: Double) {}
    func put(_ frames: UnsafePointer<Float>, count: Int) {}
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int { 0 }
    func finish() {}
    func restart() {}
}
