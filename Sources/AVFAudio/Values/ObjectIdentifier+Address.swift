// SPDX-License-Identifier: MIT

extension ObjectIdentifier {
    /// The address of the object, for its description.
    var address: String { "0x" + String(UInt(bitPattern: self), radix: 16) }
}
