// SPDX-License-Identifier: MIT

import CAQPulse
import Glibc

/// Stream properties: libpulse's lists of names and values.
enum PulsePropertyList {
    /// Calls `body` with a list of these properties; nil if memory is insufficient.
    static func with<Result>(
        _ properties: [(key: String, value: String)], _ body: (OpaquePointer) -> Result?
    ) -> Result? {
        guard let list = unsafe pa_proplist_new() else { return nil }
        defer { unsafe pa_proplist_free(list) }
        for (key, value) in properties { unsafe pa_proplist_sets(list, key, value) }
        return unsafe body(list)
    }

    /// A value in a list in libpulse's text form (`pa_proplist_from_string`).
    static func value(of key: String, inText text: String) -> String? {
        guard let list = unsafe pa_proplist_from_string(text) else { return nil }
        defer { unsafe pa_proplist_free(list) }
        return unsafe pa_proplist_gets(list, key).map { unsafe String(cString: $0) }
    }

    /// The process's name in libpulse (`application.process.binary`).
    static var programName: String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress,
                let name = unsafe pa_get_binary_name(start, buffer.count)
            else { return nil }
            return unsafe String(cString: name)
        }
    }
}
