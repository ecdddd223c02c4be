// SPDX-License-Identifier: MIT

import Glibc

/// The identifier of this machine, which every program on a bus returns.
enum MachineIdentifier {
    /// Reads it; nil if the machine has none.
    static func read() -> String? {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
                count = unsafe max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if text.utf8.count == 32, text.allSatisfy(\.isHexDigit) { return text }
        }
        return nil
    }
}
