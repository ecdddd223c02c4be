// SPDX-License-Identifier: MIT

/// Finds a known sequence in a recording and follows it sample by sample.
public struct Aligner: Sendable {
    /// The largest amplitude that counts as silence.
    public static let silence: Float = 0.0005

    private static let lockFrames = 64
    private static let measuredFrames = 4096
    private static let calibrationFrames = 512
    /// The distance in frames, and the number, of the positions at which an exact copy is searched for.
    private static let retryFrames = 2000
    private static let retries = 48
    /// The largest error of a sample that was copied without resampling: more than two roundings to 16 bits.
    private static let exactTolerance: Float = 0.0005

    private let capture: [Float]
    private let reference: ReferenceNoise
    /// The distance from the expected position within which the sequence is searched for first, in frames.
    private let searchFrames: Int

    private var gain: Float = 1
    private var tolerance = Self.exactTolerance

    public init(capture: [Float], reference: ReferenceNoise, searchFrames: Int = 96000) {
        self.capture = capture
        self.reference = reference
        self.searchFrames = searchFrames
    }

    /// Follows the sequence from the first audible frame to the last. Without the sequence, the result has no segments.
    public static func align(_ capture: [Float], to reference: ReferenceNoise) -> Alignment {
        var aligner = Aligner(capture: capture, reference: reference)
        return aligner.run()
    }

    private mutating func run() -> Alignment {
        var alignment = Alignment()
        guard let (start, place) = firstLock() else { return alignment }
        calibrate(at: start, place: place, &alignment)
        var segment = follow(from: start, place: place)
        segment = extendBack(segment, notBefore: 0)
        while true {
            alignment.segments.append(segment)
            guard let (next, nextPlace) = nextLock(after: segment) else { return alignment }
            let found = extendBack(follow(from: next, place: nextPlace), notBefore: segment.captureEnd)
            alignment.gaps.append(
                Alignment.Gap(
                    captureStart: segment.captureEnd, foreignFrames: found.captureStart - segment.captureEnd,
                    lostFrames: found.sequenceStart - segment.sequenceEnd))
            segment = found
        }
    }

    /// Sets the gain, the tolerance, and the delay as a fraction of a frame, from the position of the first match.
    private mutating func calibrate(at start: Int, place: Int, _ alignment: inout Alignment) {
        // Beside busy processes, a recording may begin with many gaps, which must not raise the tolerance. If any piece
        // is an exact copy of the sequence, all other pieces are exact too.
        if let exact = exactGain(at: start, place: place) ?? exactGain(after: start) {
            gain = exact
            alignment.gain = Double(exact)
            return
        }
        // The most exact of several pieces counts, because the others may contain a gap or a fade.
        let pieces = [0, 64, 256, 1024, 2048, 4096, 8192].map { offset in
            rounding(at: start + offset, place: place + offset)
        }
        guard let best = pieces.min(by: { $0.error < $1.error }), best.gain > 0.05 else { return }
        gain = best.gain
        tolerance = max(Self.exactTolerance, best.error * 8)
        alignment.gain = Double(gain)
        alignment.isExact = tolerance == Self.exactTolerance
        if !alignment.isExact {
            alignment.fraction = reference.fraction(
                of: capture, at: start, to: place, frames: Self.measuredFrames)
        }
    }

    /// Returns the gain of a short piece near `start` that is an exact copy; nil if there is none.
    private func exactGain(at start: Int, place: Int) -> Float? {
        stride(from: 0, to: Self.calibrationFrames, by: Self.lockFrames).lazy
            .map { rounding(at: start + $0, place: place + $0, frames: Self.lockFrames) }
            .first { $0.error * 8 <= Self.exactTolerance }?.gain
    }

    /// Returns the gain of the first exact copy after `start`, from a few dozen positions; nil if there is none.
    private func exactGain(after start: Int) -> Float? {
        for index in stride(from: start, to: capture.count, by: Self.retryFrames).prefix(Self.retries) {
            guard let word = ReferenceNoise.word(of: capture, at: index) else { continue }
            for place in reference.places(of: word, in: 0..<reference.samples.count) {
                if let gain = exactGain(at: index, place: place) { return gain }
            }
        }
        return nil
    }

    /// Returns the gain of a piece, and the median error of its samples. The error is infinite if the gain is near 0.
    private func rounding(
        at start: Int, place: Int, frames: Int = Self.calibrationFrames
    ) -> (gain: Float, error: Float) {
        let frames = min(frames, capture.count - start, reference.samples.count - place)
        guard frames >= Self.lockFrames else { return (1, .infinity) }
        let gain = Float(reference.gain(of: capture, at: start, to: place, frames: frames))
        let errors = (0..<frames)
            .map { abs(capture[start + $0] - gain * reference.samples[place + $0]) }.sorted()
        return (gain, gain > 0.05 ? errors[frames / 2] : .infinity)
    }

    // MARK: Following

    private func matches(_ index: Int, _ place: Int) -> Bool {
        abs(capture[index] - gain * reference.samples[place]) <= tolerance
    }

    /// Returns the matching frames from a found position on.
    private func follow(from start: Int, place: Int) -> Alignment.Segment {
        let end = min(capture.count - start, reference.samples.count - place)
        var frames = 0
        while frames < end, matches(start + frames, place + frames) { frames += 1 }
        return Alignment.Segment(captureStart: start, sequenceStart: place, frames: frames)
    }

    private func extendBack(_ segment: Alignment.Segment, notBefore limit: Int) -> Alignment.Segment {
        var segment = segment
        while segment.captureStart > limit, segment.sequenceStart > 0,
            matches(segment.captureStart - 1, segment.sequenceStart - 1)
        {
            segment.captureStart -= 1
            segment.sequenceStart -= 1
            segment.frames += 1
        }
        return segment
    }

    // MARK: Locking

    /// Returns the first position in the recording at which the sequence is found, and the matching frame of the
    /// sequence.
    private func firstLock() -> (start: Int, place: Int)? {
        guard let first = capture.firstIndex(where: { abs($0) > Self.silence }) else { return nil }
        var start = first
        while let word = ReferenceNoise.word(of: capture, at: start) {
            let places = reference.places(of: word, in: 0..<reference.samples.count)
            for place in places {
                let likeness = reference.likeness(of: capture, at: start, to: place, frames: 256)
                if likeness > 0.8 { return (start, place) }
            }
            start += Self.lockFrames
        }
        return nil
    }

    /// Returns the position at which the sequence resumes after a segment; nil if it does not.
    private func nextLock(after segment: Alignment.Segment) -> (start: Int, place: Int)? {
        var start = segment.captureEnd
        var failures = 0
        while start + Self.lockFrames <= capture.count {
            if isSilent(at: start) {
                start += 1
                continue
            }
            if let place = lock(at: start, after: segment, everywhere: failures % 256 == 255) {
                return (start, place)
            }
            failures += 1
            start += failures < 64 ? 1 : 16
        }
        return nil
    }

    private func isSilent(at start: Int) -> Bool { abs(capture[start]) <= Self.silence }

    private func lock(at start: Int, after segment: Alignment.Segment, everywhere: Bool) -> Int? {
        // The two likely cases first: silence was inserted, or frames were replaced by silence.
        let likely = [segment.sequenceEnd, segment.sequenceEnd + start - segment.captureEnd]
        for place in likely where isLocked(at: start, place: place) { return place }
        guard let word = ReferenceNoise.word(of: capture, at: start) else { return nil }
        let near = (segment.sequenceEnd - searchFrames)..<(segment.sequenceEnd + searchFrames)
        let range = everywhere ? 0..<reference.samples.count : near
        return reference.places(of: word, in: range).first { isLocked(at: start, place: $0) }
    }

    /// Returns whether the next 64 frames are those of the sequence at `place`.
    private func isLocked(at start: Int, place: Int) -> Bool {
        guard place >= 0, start + Self.lockFrames <= capture.count,
            place + Self.lockFrames <= reference.samples.count
        else { return false }
        return (0..<Self.lockFrames).allSatisfy { matches(start + $0, place + $0) }
            && reference.likeness(of: capture, at: start, to: place, frames: Self.lockFrames) > 0.8
    }
}
