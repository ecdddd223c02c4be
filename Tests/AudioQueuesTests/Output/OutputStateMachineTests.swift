// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("State machine") struct OutputStateMachineTests {
        typealias Machine = OutputStateMachine
        typealias Answer = (action: Machine.Action, next: Machine.State)

        /// The calls that bring a new queue into each state.
        static func machine(in state: Machine.State) -> Machine {
            let calls: [Machine.Call] =
                switch state {
                case .stopped: []
                case .primed: [.prime]
                case .running: [.start]
                case .paused: [.start, .pause]
                case .stopping: [.start, .stopAfterEnqueued]
                case .stoppingPaused: [.start, .stopAfterEnqueued, .pause]
                case .disposing: [.start, .disposeAfterEnqueued]
                case .disposed: [.disposeAtOnce]
                }
            var machine = Machine()
            for call in calls { _ = machine.apply(call) }
            return machine
        }

        /// The answers to all calls, in the order of ``OutputStateMachine/Call``.
        static let answers: [(Machine.State, [(Machine.Call, Answer)])] = [
            (
                .stopped,
                [
                    (.prime, (.prepare, .primed)),
                    (.start, (.startDevice, .running)),
                    (.pause, (.nothing, .stopped)),
                    (.stopAtOnce, (.nothing, .stopped)),
                    (.stopAfterEnqueued, (.nothing, .stopped)),
                    (.flush, (.markEnd, .stopped)),
                    (.reset, (.returnBuffers, .stopped)),
                    (.enqueue, (.proceed, .stopped)),
                    (.use, (.proceed, .stopped)),
                    (.configure, (.proceed, .stopped)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.closeDevice, .disposed)),
                ]
            ),
            (
                .primed,
                [
                    (.prime, (.nothing, .primed)),
                    (.start, (.startDevice, .running)),
                    (.pause, (.nothing, .primed)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.stopDevice, .stopped)),
                    (.flush, (.markEnd, .primed)),
                    (.reset, (.stopDevice, .stopped)),
                    (.enqueue, (.proceed, .primed)),
                    (.use, (.proceed, .primed)),
                    (.configure, (.fail(.invalidRunState), .primed)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.closeDevice, .disposed)),
                ]
            ),
            (
                .running,
                [
                    (.prime, (.nothing, .running)),
                    (.start, (.nothing, .running)),
                    (.pause, (.pauseDevice, .paused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.drainDevice, .stopping)),
                    (.flush, (.markEnd, .running)),
                    (.reset, (.flushDevice, .running)),
                    (.enqueue, (.proceed, .running)),
                    (.use, (.proceed, .running)),
                    (.configure, (.fail(.invalidRunState), .running)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.drainDevice, .disposing)),
                ]
            ),
            (
                .paused,
                [
                    (.prime, (.nothing, .paused)),
                    (.start, (.resumeDevice, .running)),
                    (.pause, (.nothing, .paused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.resumeAndDrain, .stopping)),
                    (.flush, (.markEnd, .paused)),
                    (.reset, (.flushDevice, .paused)),
                    (.enqueue, (.proceed, .paused)),
                    (.use, (.proceed, .paused)),
                    (.configure, (.fail(.invalidRunState), .paused)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.resumeAndDrain, .disposing)),
                ]
            ),
            (
                .stopping,
                [
                    (.prime, (.nothing, .stopping)),
                    (.start, (.fail(.cannotStartYet), .stopping)),
                    (.pause, (.pauseDevice, .stoppingPaused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.nothing, .stopping)),
                    (.flush, (.nothing, .stopping)),
                    (.reset, (.stopDevice, .stopped)),
                    (.enqueue, (.fail(.enqueueDuringReset), .stopping)),
                    (.use, (.proceed, .stopping)),
                    (.configure, (.fail(.invalidRunState), .stopping)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.drainDevice, .disposing)),
                ]
            ),
            (
                .stoppingPaused,
                [
                    (.prime, (.nothing, .stoppingPaused)),
                    (.start, (.resumeAndDrain, .stopping)),
                    (.pause, (.nothing, .stoppingPaused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.resumeAndDrain, .stopping)),
                    (.flush, (.nothing, .stoppingPaused)),
                    (.reset, (.stopDevice, .stopped)),
                    (.enqueue, (.fail(.enqueueDuringReset), .stoppingPaused)),
                    (.use, (.proceed, .stoppingPaused)),
                    (.configure, (.fail(.invalidRunState), .stoppingPaused)),
                    (.disposeAtOnce, (.closeDevice, .disposed)),
                    (.disposeAfterEnqueued, (.resumeAndDrain, .disposing)),
                ]
            ),
            (.disposing, Machine.Call.allCases.map { ($0, (.fail(.disposalPending), .disposing)) }),
            (.disposed, Machine.Call.allCases.map { ($0, (.fail(.disposalPending), .disposed)) }),
        ]

        /// The answers to events of the device; the others do nothing.
        static let eventAnswers: [(Machine.State, Machine.Event, Answer)] = [
            (.primed, .failed, (.announceFailure, .stopped)),
            (.running, .started, (.announceRunning, .running)),
            (.running, .failed, (.announceFailure, .stopped)),
            (.paused, .started, (.announceRunning, .paused)),
            (.paused, .failed, (.announceFailure, .stopped)),
            (.stopping, .started, (.announceRunning, .stopping)),
            (.stopping, .drained, (.announceStopped, .stopped)),
            (.stopping, .failed, (.announceFailure, .stopped)),
            (.stoppingPaused, .started, (.announceRunning, .stoppingPaused)),
            (.stoppingPaused, .drained, (.announceStopped, .stopped)),
            (.stoppingPaused, .failed, (.announceFailure, .stopped)),
            (.disposing, .drained, (.closeDevice, .disposed)),
            (.disposing, .failed, (.closeDevice, .disposed)),
        ]

        @Test("every call has its answer in every state")
        func calls() {
            expectEqual(Self.answers.map(\.0), Machine.State.allCases)
            for (state, row) in Self.answers {
                expectEqual(row.map(\.0), Machine.Call.allCases, "row of \(state)")
                for (call, expected) in row {
                    var machine = Self.machine(in: state)
                    expectEqual(machine.state, state)
                    expectEqual(machine.apply(call), expected.action, "\(call) while \(state)")
                    expectEqual(machine.state, expected.next, "\(call) while \(state)")
                }
            }
        }

        @Test("every event of the device has its answer in every state")
        func events() {
            for state in Machine.State.allCases {
                for event in Machine.Event.allCases {
                    let listed = Self.eventAnswers.first { $0.0 == state && $0.1 == event }
                    let expected = listed?.2 ?? (.nothing, state)
                    var machine = Self.machine(in: state)
                    expectEqual(machine.apply(event), expected.action, "\(event) while \(state)")
                    expectEqual(machine.state, expected.next, "\(event) while \(state)")
                }
            }
        }
    }
}
