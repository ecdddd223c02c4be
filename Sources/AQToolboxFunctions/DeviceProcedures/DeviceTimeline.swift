// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

/// The sample times of a device, which all of its running procedures share.
///
/// They begin with 0 when the first procedure starts. Each procedure has streams of its own, whose frames are counted
/// from their start; the time at which a frame is audible, or was captured, places them on the timeline. The procedure
/// that started first leads. May be used from any thread.
final class DeviceTimeline: Sendable {
    /// A frame and its host time, on a line.
    struct Line: Sendable, Equatable {
        var sampleTime: Double
        var hostTime: UInt64
        var sampleRate: Double

        func sampleTime(at time: UInt64) -> Double {
            sampleTime + Double(Int64(bitPattern: time &- hostTime)) / 1e9 * sampleRate
        }

        func hostTime(of sample: Double) -> UInt64 {
            let nanoseconds = (sample - sampleTime) / sampleRate * 1e9
            return hostTime &+ UInt64(bitPattern: Int64(max(-1e18, min(nanoseconds, 1e18))))
        }
    }

    private struct State {
        var line: Line?
        var members: [Int] = []
        var leader = 0
        var next = 1
    }

    private let state = Monitor(State())

    /// The current line; nil while no procedure runs.
    var line: Line? { state.withLock { $0.line } }

    /// Adds a procedure that has started; returns its number.
    func join(sampleRate: Double, at hostTime: UInt64) -> Int {
        state.withLock { state in
            let number = state.next
            state.next += 1
            state.members.append(number)
            if state.line == nil {
                state.line = Line(sampleTime: 0, hostTime: hostTime, sampleRate: max(1, sampleRate))
                state.leader = number
            }
            return number
        }
    }

    func leave(_ number: Int) {
        state.withLock { state in
            state.members.removeAll { $0 == number }
            if state.members.isEmpty { state.line = nil }
            if state.leader == number { state.leader = state.members.first ?? 0 }
        }
    }

    /// Places the first frame of a procedure's cycle.
    ///
    /// - Parameters:
    ///   - offset: The difference from the procedure's own frames; nil before its first cycle.
    ///   - frame: The frame as the procedure's own streams count.
    func place(_ number: Int, _ offset: inout Double?, frame: Double, hostTime: UInt64) -> Double {
        state.withLock { state in
            guard var line = state.line else { return frame + (offset ?? 0) }
            let isLeader = state.leader == number
            if offset == nil {
                // The first cycle of the leader begins the timeline, unless another has led before.
                let isNew = isLeader && line.sampleTime == 0
                offset = isNew ? 0 : (line.sampleTime(at: hostTime) - frame).rounded()
            }
            let sampleTime = frame + (offset ?? 0)
            if isLeader {
                (line.sampleTime, line.hostTime) = (sampleTime, hostTime)
                state.line = line
            }
            return sampleTime
        }
    }
}
