// SPDX-License-Identifier: MIT

/// The volume and pan at the audible frame: written by the device's thread, readable from any thread.
///
/// Contains ramps instead of values, so that a reader can compute the value at its frame, although the device's thread
/// publishes only a few times per second.
final class PublishedParameters: Sendable {
    struct Parameter {
        var ramp: GainRamp
        /// Whether a segment has set the ramp, and no call has set another since.
        var isOfSegment: Bool

        @_noLocks init(ramp: GainRamp, isOfSegment: Bool) {
            self.ramp = ramp
            self.isOfSegment = isOfSegment
        }

        /// The value set by a segment; nil if a call has set another.
        var segmentValue: Float? { isOfSegment ? ramp.endGain : nil }
    }

    struct State {
        var volume: Parameter
        var pan: Parameter

        @_noLocks init(volume: Parameter, pan: Parameter) {
            self.volume = volume
            self.pan = pan
        }
    }

    private static let initial = State(
        volume: Parameter(ramp: GainRamp(constant: 1), isOfSegment: false),
        pan: Parameter(ramp: GainRamp(constant: 0), isOfSegment: false))
    private let published = SequenceLock(initial)

    /// Publishes the current parameters. Called by one thread at a time. REAL-TIME.
    @_noLocks func publish(_ state: State) {
        var state = state
        unsafe published.publish(&state)
    }

    /// A consistent copy of the last published parameters.
    func snapshot() -> State {
        var state = Self.initial
        published.read(into: &state)
        return state
    }
}
