// SPDX-License-Identifier: MIT

import CoreFoundation

/// The reader of device names in strings of clients.
enum HardwareText {
    /// The limit of a name's length: no name in a server is longer.
    private static let longestUTF16Units = 4096

    /// The text of a string; nil if it cannot be a device's name, because it is too long or not valid Unicode.
    static func read(_ string: CFString) -> String? {
        let units = CFStringGetLength(string)
        guard units <= longestUTF16Units else { return nil }
        let encoding = CFStringBuiltInEncodings.UTF8.rawValue
        let limit = CFStringGetMaximumSizeForEncoding(units, encoding)
        guard limit >= 0 else { return nil }
        var characters = [CChar](repeating: 0, count: limit + 1)
        let isWhole = unsafe CFStringGetCString(string, &characters, characters.count, encoding)
        guard isWhole else { return nil }
        return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
