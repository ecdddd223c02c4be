// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct ParameterTrackTests {
    /// The values of `range`, as the audio path and as other threads read them.
    private func values(_ track: inout ParameterTrack, _ range: Range<Int64>) -> [Float] {
        var found: [Float] = []
        var frame = range.lowerBound
        while frame < range.upperBound {
            track.seek(to: frame)
            let run = max(1, track.constantRun(from: frame, limit: Int(range.upperBound - frame)))
            for place in 0..<Int64(run) { found.append(track.presentValue(at: frame + place)) }
            frame += Int64(run)
        }
        for (index, value) in found.enumerated() {
            let same = track.value(at: range.lowerBound + Int64(index))
            expectEqual(same, value)
        }
        return found
    }

    @Test("a track has its first value everywhere until it is changed")
    func constant() {
        var track = ParameterTrack(0)
        let found = values(&track, 0..<5)
        expectEqual(found, [0, 0, 0, 0, 0])
        track.seek(to: 3)
        let run = track.constantRun(from: 3, limit: 100)
        expectEqual(run, 100)
        let isChanged = track.hasSegmentChanges
        #expect(!isChanged)
    }

    @Test("changes of segments apply from their frames on, and ramps advance by frame")
    func segments() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0, from: 2, frames: 0)
        track.rampInSegment(to: 1, from: 2, frames: 4)
        track.rampInSegment(to: 0.5, from: 7, frames: 0)
        let first = values(&track, 0..<9)
        expectEqual(first, [1, 1, 0, 0.25, 0.5, 0.75, 1, 0.5, 0.5])
        // And again, from any frame.
        let second = values(&track, 4..<6)
        expectEqual(second, [0.5, 0.75])
        let third = values(&track, 0..<3)
        expectEqual(third, [1, 1, 0])
        let isChanged = track.hasSegmentChanges
        #expect(isChanged)
    }

    @Test("a call changes the following frames, up to the segment that changes them again")
    func callBeforeSegment() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0.25, from: 6, frames: 0)
        track.ramp(to: 0.5, from: 3, frames: 0)
        let found = values(&track, 0..<8)
        expectEqual(found, [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25])
    }

    @Test("a call cancels the ramps of earlier calls, and those of no segment")
    func callAfterCall() {
        var track = ParameterTrack(1)
        track.ramp(to: 0, from: 4, frames: 4)
        track.rampInSegment(to: 0.75, from: 10, frames: 0)
        track.ramp(to: 0.5, from: 2, frames: 0)
        let found = values(&track, 0..<12)
        expectEqual(found, [1, 1] + [Float](repeating: 0.5, count: 8) + [0.75, 0.75])
    }

    @Test("a call at the frame of a segment's change comes after it")
    func callAtSegment() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0.25, from: 3, frames: 0)
        track.ramp(to: 0.5, from: 3, frames: 0)
        let found = values(&track, 2..<5)
        expectEqual(found, [1, 0.5, 0.5])
    }

    @Test("changes of segments that are never played are cancelled, those of calls are not")
    func dropped() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0.5, from: 2, frames: 0)
        track.ramp(to: 0.75, from: 4, frames: 0)
        track.rampInSegment(to: 0, from: 6, frames: 0)
        track.dropSegments(from: 3)
        let found = values(&track, 0..<8)
        expectEqual(found, [1, 1, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75])
    }

    @Test("a reader gets a call's value before it is audible, and a segment's from its first frame on")
    func inForce() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0.25, from: 2, frames: 0)
        let before = track.inForce(at: 1).isOfSegment
        #expect(!before)
        let within = track.inForce(at: 2)
        #expect(within.isOfSegment && within.ramp.endGain == 0.25)
        track.ramp(to: 0.5, from: 6, frames: 0)
        let called = track.inForce(at: 3)
        #expect(!called.isOfSegment && called.ramp.endGain == 0.5)
        track.rampInSegment(to: 0.75, from: 8, frames: 0)
        let next = track.inForce(at: 7).isOfSegment
        #expect(!next)
        // Also for a frame older than the history.
        track.forget(before: 9)
        let last = track.inForce(at: 9)
        #expect(last.isOfSegment && last.ramp.endGain == 0.75)
    }

    @Test("a discarded change still applies to later frames")
    func forgotten() {
        var track = ParameterTrack(1)
        track.rampInSegment(to: 0, from: 2, frames: 4)
        track.rampInSegment(to: 0.5, from: 8, frames: 0)
        track.forget(before: 4)
        let first = values(&track, 4..<9)
        expectEqual(first, [0.5, 0.25, 0, 0, 0.5])
        track.forget(before: 9)
        let second = values(&track, 9..<11)
        expectEqual(second, [0.5, 0.5])
    }

    @Test("more changes than are kept lose only the oldest values")
    func overflow() {
        var track = ParameterTrack(1)
        let number = Int64(3 * StreamFeed.segmentCapacity)
        for index in 0..<number { track.rampInSegment(to: Float(index), from: index * 10, frames: 0) }
        let last = track.value(at: number * 10)
        expectEqual(last, Float(number - 1))
        let late = (number - 100) * 10
        let found = values(&track, (late - 1)..<(late + 1))
        expectEqual(found, [Float(number - 101), Float(number - 100)])
    }
}

@Suite struct SegmentChangeTests {
    @Test("a volume at once followed by a ramp is a start and an end")
    func fadeIn() {
        var change = SegmentChange()
        #expect(change.isEmpty)
        change.setVolume(0, rampSeconds: 0)
        change.setVolume(1, rampSeconds: 2)
        expectEqual(change, SegmentChange(startGain: 0, gain: 1, rampSeconds: 2))
        #expect(!change.isEmpty)
    }

    @Test("a volume at once cancels the ramp before it")
    func atOnce() {
        var change = SegmentChange()
        change.setVolume(1, rampSeconds: 2)
        change.setVolume(0.5, rampSeconds: 0)
        expectEqual(change, SegmentChange(startGain: 0.5))
    }

    @Test("the last ramp and the last pan are kept")
    func last() {
        var change = SegmentChange()
        change.setVolume(1, rampSeconds: 2)
        change.setPan(-1)
        change.setVolume(0.5, rampSeconds: 3)
        change.setPan(0.5)
        expectEqual(change, SegmentChange(gain: 0.5, rampSeconds: 3, pan: 0.5))
    }
}
