// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The direction of a channel from the listener.
struct SpeakerDirection {
    /// The unit vector: to the right, to the front, upwards; nil for channels without a direction, such as those
    /// of low frequencies.
    let vector: SIMD3<Float>?

    /// The degrees to the right of the front, -180 to 180; nil without a direction, and straight above or below.
    var azimuth: Float? {
        guard let vector, max(abs(vector.x), abs(vector.y)) > 1e-4 else { return nil }
        return atan2f(vector.x, vector.y) * 180 / .pi
    }

    /// Whether the channel is at about the height of the ears.
    var isLevel: Bool { vector.map { abs($0.z) < 0.35 } ?? false }

    /// Makes the direction of a channel, from its coordinates or its label.
    init(of channel: ChannelLayout.Channel) {
        vector =
            channel.label == kAudioChannelLabel_UseCoordinates
            ? Self.vector(channel.coordinates, flags: AudioChannelFlags(rawValue: channel.flags))
            : Self.positions[channel.label].flatMap {
                Self.vector(azimuth: $0.azimuth, elevation: $0.elevation)
            }
    }

    /// Makes a direction from coordinates; nil if they are not numbers.
    ///
    /// - Parameters:
    ///   - coordinates: To the right, to the front and upwards; or degrees to the right, degrees upwards and
    ///     a distance. Distances make no difference.
    ///   - flags: The type of coordinates.
    init?(_ coordinates: SIMD3<Float>, flags: UInt32) {
        guard coordinates.x.isFinite, coordinates.y.isFinite, coordinates.z.isFinite else { return nil }
        vector = Self.vector(coordinates, flags: AudioChannelFlags(rawValue: flags))
    }

    private static func vector(_ coordinates: SIMD3<Float>, flags: AudioChannelFlags) -> SIMD3<Float>? {
        if flags.contains(.sphericalCoordinates) {
            return vector(azimuth: coordinates.x, elevation: coordinates.y)
        }
        let length = (coordinates * coordinates).sum().squareRoot()
        return length.isFinite && length > 0 ? coordinates / length : nil
    }

    private static func vector(azimuth: Float, elevation: Float) -> SIMD3<Float>? {
        guard azimuth.isFinite, elevation.isFinite else { return nil }
        let (side, up) = (azimuth * .pi / 180, elevation * .pi / 180)
        return SIMD3(sinf(side) * cosf(up), cosf(side) * cosf(up), sinf(up))
    }

    /// The usual directions in degrees to the right, and upwards (ITU-R BS.775 and BS.2051).
    private static let positions: [AudioChannelLabel: (azimuth: Float, elevation: Float)] = [
        kAudioChannelLabel_Left: (-30, 0), kAudioChannelLabel_Right: (30, 0),
        kAudioChannelLabel_Center: (0, 0), kAudioChannelLabel_Mono: (0, 0),
        kAudioChannelLabel_LeftCenter: (-15, 0), kAudioChannelLabel_RightCenter: (15, 0),
        kAudioChannelLabel_LeftWide: (-60, 0), kAudioChannelLabel_RightWide: (60, 0),
        kAudioChannelLabel_LeftSurround: (-110, 0), kAudioChannelLabel_RightSurround: (110, 0),
        kAudioChannelLabel_LeftSurroundDirect: (-90, 0), kAudioChannelLabel_RightSurroundDirect: (90, 0),
        kAudioChannelLabel_LeftSideSurround: (-90, 0), kAudioChannelLabel_RightSideSurround: (90, 0),
        kAudioChannelLabel_RearSurroundLeft: (-150, 0), kAudioChannelLabel_RearSurroundRight: (150, 0),
        kAudioChannelLabel_LeftBackSurround: (-150, 0), kAudioChannelLabel_RightBackSurround: (150, 0),
        kAudioChannelLabel_CenterSurround: (180, 0), kAudioChannelLabel_CenterSurroundDirect: (180, 0),
        kAudioChannelLabel_HeadphonesLeft: (-90, 0), kAudioChannelLabel_HeadphonesRight: (90, 0),
        kAudioChannelLabel_BinauralLeft: (-90, 0), kAudioChannelLabel_BinauralRight: (90, 0),
        kAudioChannelLabel_LeftTotal: (-30, 0), kAudioChannelLabel_RightTotal: (30, 0),
        kAudioChannelLabel_LeftEdgeOfScreen: (-45, 0), kAudioChannelLabel_RightEdgeOfScreen: (45, 0),
        kAudioChannelLabel_TopCenterSurround: (0, 90),
        kAudioChannelLabel_VerticalHeightLeft: (-30, 35), kAudioChannelLabel_VerticalHeightRight: (30, 35),
        kAudioChannelLabel_VerticalHeightCenter: (0, 35),
        kAudioChannelLabel_LeftTopMiddle: (-90, 45), kAudioChannelLabel_RightTopMiddle: (90, 45),
        kAudioChannelLabel_LeftTopSurround: (-110, 35), kAudioChannelLabel_RightTopSurround: (110, 35),
        kAudioChannelLabel_TopBackLeft: (-135, 35), kAudioChannelLabel_TopBackRight: (135, 35),
        kAudioChannelLabel_LeftTopRear: (-135, 35), kAudioChannelLabel_RightTopRear: (135, 35),
        kAudioChannelLabel_TopBackCenter: (180, 35), kAudioChannelLabel_CenterTopRear: (180, 35),
        kAudioChannelLabel_LeftBottom: (-30, -30), kAudioChannelLabel_RightBottom: (30, -30),
        kAudioChannelLabel_CenterBottom: (0, -30),
    ]
}
