// SPDX-License-Identifier: MIT

import Glibc

/// Reports a call that raises an exception on Apple's systems, and is ignored here.
package enum MisuseNote {
    /// Writes a line to standard error.
    ///
    /// - Parameter text: What was called, and what was done instead, in lower case.
    package static func write(_ text: String, module: String = "AVFAudio") {
        let line = "\(module): \(text)\n"
        unsafe line.withCString { bytes in unsafe _ = Glibc.write(2, bytes, strlen(bytes)) }
    }
}
