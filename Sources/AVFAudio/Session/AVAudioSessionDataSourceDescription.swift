// SPDX-License-Identifier: MIT

public import Foundation

/// A choice within a port, such as one of several microphones. Sound servers offer none, so there are no such objects:
/// the class exists for programs that pass choices on.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    // SAFETY: constants.

    public let dataSourceID: NSNumber
    public let dataSourceName: String

    init(id: Int, name: String) {
        dataSourceID = NSNumber(value: id)
        dataSourceName = name
        super.init()
    }

    /// Always nil.
    open var location: AVAudioSession.Location? { nil }
    /// Always nil.
    open var orientation: AVAudioSession.Orientation? { nil }
    /// Always nil.
    open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    /// Always nil.
    open var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
    /// Always nil.
    open var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

    /// Does nothing, and never throws.
    open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {}
}

extension AVAudioSession {
    /// The position of a data source on a device.
    public struct Location: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let upper = Location(rawValue: "Upper")
        public static let lower = Location(rawValue: "Lower")
    }

    /// The direction that a data source faces.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let top = Orientation(rawValue: "Top")
        public static let bottom = Orientation(rawValue: "Bottom")
        public static let front = Orientation(rawValue: "Front")
        public static let back = Orientation(rawValue: "Back")
        public static let left = Orientation(rawValue: "Left")
        public static let right = Orientation(rawValue: "Right")
    }

    /// The directions from which a microphone records.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
        public static let cardioid = PolarPattern(rawValue: "Cardioid")
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }
}
