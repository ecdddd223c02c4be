// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import Glibc

/// Gains that place a mono source in a direction; the sum of their squares is 1.
enum PanningGains {
    /// Returns the gains of a first-order sound field: a loudspeaker's gain decreases with its angle from the
    /// source, to 0 on the opposite side.
    static func soundField(from source: SpeakerDirection, to speakers: [SpeakerDirection]) -> [Float] {
        guard let direction = source.vector else { return everywhere(speakers) }
        let gains = speakers.map { speaker -> Float in
            guard let position = speaker.vector else { return 0 }
            return max((1 + (position * direction).sum()) / 2, 0)
        }
        return normalised(gains) ?? everywhere(speakers)
    }

    /// Returns gains for the two loudspeakers on both sides of the source, at the height of the ears (Pulkki,
    /// 1997).
    ///
    /// If no two loudspeakers enclose the source, for example a source behind and a pair in front, only the
    /// nearest one has a gain. The height of the source is ignored.
    static func vectorBased(from source: SpeakerDirection, to speakers: [SpeakerDirection]) -> [Float] {
        guard let target = source.azimuth else { return everywhere(speakers) }
        // One loudspeaker for each direction, because several would share one gain.
        var ring: [(index: Int, azimuth: Float)] = []
        for (index, speaker) in speakers.enumerated() where speaker.isLevel {
            guard let azimuth = speaker.azimuth,
                !ring.contains(where: { turn(from: $0.azimuth, to: azimuth) == 0 })
            else { continue }
            ring.append((index, azimuth))
        }
        ring.sort { $0.azimuth < $1.azimuth }
        let nearest = ring.min { distance($0.azimuth, target) < distance($1.azimuth, target) }
        guard let nearest else { return everywhere(speakers) }
        var gains = [Float](repeating: 0, count: speakers.count)
        for index in ring.indices {
            let (left, right) = (ring[index], ring[(index + 1) % ring.count])
            let width = turn(from: left.azimuth, to: right.azimuth)
            let offset = turn(from: left.azimuth, to: target)
            guard width > 0, width < halfCircle, offset <= width else { continue }
            // The two directions, weighted by these gains, add up to the source's direction.
            gains[left.index] = sinf((width - offset) * .pi / halfCircle)
            gains[right.index] = sinf(offset * .pi / halfCircle)
            return normalised(gains) ?? everywhere(speakers)
        }
        gains[nearest.index] = 1
        return gains
    }

    /// Equal gains for all loudspeakers with a direction; for all loudspeakers if none has one.
    private static func everywhere(_ speakers: [SpeakerDirection]) -> [Float] {
        normalised(speakers.map { $0.vector == nil ? 0 : 1 })
            ?? normalised(speakers.map { _ in 1 }) ?? []
    }

    /// Scales gains to a total power of 1; nil if all are 0.
    private static func normalised(_ gains: [Float]) -> [Float]? {
        let power = gains.reduce(0) { $0 + $1 * $1 }
        guard power > 1e-12 else { return nil }
        return gains.map { $0 / power.squareRoot() }
    }

    /// The angle to the right from one direction to the other in degrees, from 0 to below 360.
    private static func turn(from start: Float, to end: Float) -> Float {
        let degrees = fmodf(end - start, 2 * halfCircle)
        return degrees < 0 ? degrees + 2 * halfCircle : degrees
    }

    private static func distance(_ one: Float, _ other: Float) -> Float {
        let degrees = turn(from: one, to: other)
        return min(degrees, 2 * halfCircle - degrees)
    }

    private static let halfCircle: Float = 180
}
