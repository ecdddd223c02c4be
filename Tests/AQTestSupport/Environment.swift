// SPDX-License-Identifier: MIT

import Glibc

public enum Environment {
    /// A variable's value; nil when it is not set or empty.
    public static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Whether tests run that take long, or that need an idle machine: AQ_LONG=1.
    public static var isLong: Bool { value("AQ_LONG") == "1" }

    /// The first seed of random tests: AQ_SEED, so that a failure can be repeated, or else 1.
    public static var firstSeed: UInt64 { value("AQ_SEED").flatMap(UInt64.init) ?? 1 }

    static var all: [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }
}
