// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Input state machine") struct InputStateMachineTests {
        typealias Machine = InputStateMachine
        typealias Answer = (action: Machine.Action, next: Machine.State)

        /// The calls that bring a new queue into each state.
        static func machine(in state: Machine.State) -> Machine {
            let calls: [Machine.Call] =
                switch state {
                case .stopped: []
                case .running: [.start]
                case .paused: [.start, .pause]
                case .stopping: [.start, .stopAfterEnqueued]
                case .disposing, .disposed: [.dispose]
                }
            var machine = Machine()
            for call in calls { _ = machine.apply(call) }
            if state == .disposed { _ = machine.apply(.closed) }
            return machine
        }

        /// The answers to all calls, in the order of ``InputStateMachine/Call``.
        static let answers: [(Machine.State, [(Machine.Call, Answer)])] = [
            (
                .stopped,
                [
                    (.start, (.startDevice, .running)),
                    (.pause, (.nothing, .stopped)),
                    (.stopAtOnce, (.nothing, .stopped)),
                    (.stopAfterEnqueued, (.nothing, .stopped)),
                    (.flush, (.nothing, .stopped)),
                    (.reset, (.returnBuffers, .stopped)),
                    (.enqueue, (.proceed, .stopped)),
                    (.use, (.proceed, .stopped)),
                    (.configure, (.proceed, .stopped)),
                    (.dispose, (.closeDevice, .disposing)),
                ]
            ),
            (
                .running,
                [
                    (.start, (.nothing, .running)),
                    (.pause, (.pauseDevice, .paused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.awaitFilled, .stopping)),
                    (.flush, (.flushDevice, .running)),
                    (.reset, (.resetDevice, .running)),
                    (.enqueue, (.proceed, .running)),
                    (.use, (.proceed, .running)),
                    (.configure, (.fail(.invalidRunState), .running)),
                    (.dispose, (.closeDevice, .disposing)),
                ]
            ),
            (
                .paused,
                [
                    (.start, (.resumeDevice, .running)),
                    (.pause, (.nothing, .paused)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.stopDevice, .stopped)),
                    (.flush, (.flushDevice, .paused)),
                    (.reset, (.resetDevice, .paused)),
                    (.enqueue, (.proceed, .paused)),
                    (.use, (.proceed, .paused)),
                    (.configure, (.fail(.invalidRunState), .paused)),
                    (.dispose, (.closeDevice, .disposing)),
                ]
            ),
            (
                .stopping,
                [
                    (.start, (.fail(.cannotStartYet), .stopping)),
                    (.pause, (.stopDevice, .stopped)),
                    (.stopAtOnce, (.stopDevice, .stopped)),
                    (.stopAfterEnqueued, (.nothing, .stopping)),
                    (.flush, (.flushDevice, .stopping)),
                    (.reset, (.stopDevice, .stopped)),
                    (.enqueue, (.fail(.enqueueDuringReset), .stopping)),
                    (.use, (.proceed, .stopping)),
                    (.configure, (.fail(.invalidRunState), .stopping)),
                    (.dispose, (.closeDevice, .disposing)),
                ]
            ),
            (.disposing, Machine.Call.allCases.map { ($0, (.fail(.disposalPending), .disposing)) }),
            (.disposed, Machine.Call.allCases.map { ($0, (.fail(.disposalPending), .disposed)) }),
        ]

        /// The answers to events of the device; the others do nothing.
        static let eventAnswers: [(Machine.State, Machine.Event, Answer)] = [
            (.running, .started, (.announceRunning, .running)),
            (.running, .failed, (.announceFailure, .stopped)),
            (.paused, .started, (.announceRunning, .paused)),
            (.paused, .failed, (.announceFailure, .stopped)),
            (.stopping, .started, (.announceRunning, .stopping)),
            (.stopping, .filled, (.stopDevice, .stopped)),
            (.stopping, .failed, (.announceFailure, .stopped)),
            (.disposing, .closed, (.release, .disposed)),
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
