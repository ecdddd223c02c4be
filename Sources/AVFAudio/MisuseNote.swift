// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Reports a call that raises an exception on Apple's systems, and is ignored here.
package enum MisuseNote {
    /// Writes a line to standard error.
    ///
    /// - Parameter text: What was called, and what was done instead, in lower case.
    package static func write(_ text: String, module: String = "AVFAudio") {
        let line = "\(module): \(text)\n"
        unsafe line.withCString { bytes in unsafe _ = Glibc.write(2, bytes, strlen(bytes)) }
    }

    private static let written = Mutex<Set<String>>([])
    /// The most lines that ``writeOnce(_:)`` writes, and remembers.
    private static let mostLines = 100

    /// Writes a line to standard error, unless this process has written it before: for what a program does with each of many
    /// objects.
    static func writeOnce(_ text: String) {
        let isNew = written.withLock { $0.count < mostLines && $0.insert(text).inserted }
        if isNew { write(text) }
    }
}
