// SPDX-License-Identifier: MIT

import Foundation

/// The severity of a message.
public struct OSLogType: Equatable, RawRepresentable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(0x00)
    public static let info = OSLogType(0x01)
    /// The type of messages that are written only if AQ_LOG_DEBUG=1.
    public static let debug = OSLogType(0x02)
    public static let error = OSLogType(0x10)
    public static let fault = OSLogType(0x11)
}

/// The source of messages.
///
/// Messages are written to standard error, one line each, after the subsystem and the category.
public final class OSLog: Sendable {
    /// A category for points of interest of a subsystem.
    public struct Category: Sendable {
        let name: String

        public static let pointsOfInterest = Category(name: "PointsOfInterest")
        public static let dynamicTracing = Category(name: "DynamicTracing")
        public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
    }

    public static let `default` = OSLog(prefix: "")
    /// The log that drops all messages.
    public static let disabled = OSLog(prefix: nil)

    /// The start of each line; nil if nothing is written.
    private let prefix: String?

    private init(prefix: String?) { self.prefix = prefix }

    public convenience init(subsystem: String, category: String) {
        self.init(prefix: "[\(subsystem):\(category)] ")
    }
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.name)
    }

    private static let writesDebug = ProcessInfo.processInfo.environment["AQ_LOG_DEBUG"] == "1"

    /// Returns whether messages of this type are written.
    public func isEnabled(type: OSLogType) -> Bool { prefix != nil && (type != .debug || OSLog.writesDebug) }

    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        guard let prefix, isEnabled(type: type) else { return }
        FileHandle.standardError.write(Data("\(prefix)\(message())\n".utf8))
    }
}

/// Logs a message to standard error.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

/// Logs a message to standard error.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// Logs a message in a C format to standard error, with specifiers such as `%{public}@`.
///
/// `<private>` replaces a value that is marked `private` or `sensitive`. Other annotations in braces have no effect.
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, formatted(message, arguments))
}

/// Logs a message in a C format to standard error, with specifiers such as `%{public}@`.
///
/// `<private>` replaces a value that is marked `private` or `sensitive`. Other annotations in braces have no effect.
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, formatted(message, arguments))
}

private func formatted(_ message: StaticString, _ arguments: [any CVarArg]) -> String {
    var remaining = arguments[...]
    var shown: [any CVarArg] = []
    let conversions = /%(?:\{([^}]*)\})?([-+ #0-9.*'hlqLjzt]*)(.)/
    let format = "\(message)".replacing(conversions) { match in
        let (_, annotation, options, kind) = match.output
        // A width or precision of `*` is an argument, too.
        let count = options.count { $0 == "*" } + (kind == "%" || kind == "m" ? 0 : 1)
        let values = remaining.prefix(count)
        remaining = remaining.dropFirst(count)
        if let annotation, annotation.contains("private") || annotation.contains("sensitive") {
            return "<private>"
        }
        shown += values
        return "%\(options)\(kind)"
    }
    return arguments.isEmpty ? format : String(format: format, arguments: shown)
}
