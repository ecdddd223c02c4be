// SPDX-License-Identifier: MIT

import Foundation

/// The visibility of a value in a message.
public struct OSLogPrivacy: Sendable {
    public enum Mask: Sendable { case hash, none }

    let isHidden: Bool

    /// The default privacy, which writes the value.
    public static let auto = OSLogPrivacy(isHidden: false)
    /// The privacy that writes the value.
    public static let `public` = OSLogPrivacy(isHidden: false)
    /// The privacy that writes `<private>` instead of the value.
    public static let `private` = OSLogPrivacy(isHidden: true)
    /// The privacy that writes `<private>` instead of the value.
    public static let sensitive = OSLogPrivacy(isHidden: true)

    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

/// The width of a value, and its alignment.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isRight: Bool

    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isRight: true) }
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: true)
    }
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: false)
    }
}

/// The format of a whole number.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let minimumDigits: Int
    let isUppercase: Bool
    let prefix: String

    public static var decimal: OSLogIntegerFormatting { .decimal() }
    public static var hex: OSLogIntegerFormatting { .hex() }
    public static var octal: OSLogIntegerFormatting { .octal() }

    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 10, minimumDigits: minDigits, isUppercase: false, prefix: explicitPositiveSign ? "+" : "")
    }
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, minimumDigits: minDigits, isUppercase: uppercase, prefix: includePrefix ? "0x" : "")
    }
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 8, minimumDigits: minDigits, isUppercase: false, prefix: includePrefix ? "0o" : "")
    }

    func text(_ value: some BinaryInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
        let sign = value < 0 ? "-" : prefix
        return sign + zeros + digits
    }
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    let conversion: Character
    let precision: Int?

    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "f", precision: nil) }
    public static var hex: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "a", precision: nil) }
    public static var exponential: OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "e", precision: nil)
    }
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "g", precision: nil) }

    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "f", precision: precision)
    }
    public static func exponential(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "e", precision: precision)
    }
    public static func hybrid(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "g", precision: precision)
    }

    func text(_ value: Double) -> String {
        String(format: "%\(precision.map { ".\($0)" } ?? "")\(conversion)", value)
    }
}

/// The format of a Boolean.
public enum OSLogBoolFormat: Sendable { case truth, answer }

/// A message that may contain values.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The builder of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    private mutating func append(_ value: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy) {
        let shown = privacy.isHidden ? "<private>" : value
        let spaces = String(repeating: " ", count: max(0, align.columns - shown.count))
        text += align.isRight ? spaces + shown : shown + spaces
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(value(), align, privacy) }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(format.text(value()), align, privacy) }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryFloatingPoint, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(format.text(Double(value())), align, privacy) }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let value = value()
        append(format == .truth ? "\(value)" : value ? "yes" : "no", .none, privacy)
    }

    /// Appends an error, an object, or another value with a description.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Any?, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(value().map { "\($0)" } ?? "nil", align, privacy) }
}
