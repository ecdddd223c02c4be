// SPDX-License-Identifier: MIT

/// A type of media. The raw value is a code of four characters.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let audio = AVMediaType("soun")
    /// No device has this type.
    public static let video = AVMediaType("vide")
    /// No device has this type.
    public static let muxed = AVMediaType("muxx")
    /// No device has this type.
    public static let text = AVMediaType("text")
    /// No device has this type.
    public static let metadata = AVMediaType("meta")
}
