// SPDX-License-Identifier: MIT

import Glibc

/// The encoding of text in the process's locale.
public enum CharacterEncoding {
    /// Whether the process's locale is UTF-8.
    public static var isUTF8: Bool { isUTF8(environment: ["LC_ALL", "LC_CTYPE", "LANG"].map(variable)) }

    /// Returns whether a locale's variables, in the order of their precedence, select UTF-8.
    public static func isUTF8(environment values: [String?]) -> Bool {
        guard let locale = values.lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) else { return false }
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static func variable(_ name: String) -> String? {
        // SAFETY: the tools change their environment only before they start threads.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
