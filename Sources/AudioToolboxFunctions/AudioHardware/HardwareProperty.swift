// SPDX-License-Identifier: MIT

import CAudioToolbox

/// A property of one class of objects: its selector, and the function that reads its value.
struct HardwareProperty<Subject: Sendable>: Sendable {
    typealias Reader = @Sendable (Subject, AudioObjectPropertyAddress) -> HardwareValue?

    let selector: AudioObjectPropertySelector
    let isSettable: Bool
    /// The function that reads the value; nil if the subject has no such property in the scope of the address.
    let read: Reader

    init(_ selector: AudioObjectPropertySelector, isSettable: Bool = false, _ read: @escaping Reader) {
        self.selector = selector
        self.isSettable = isSettable
        self.read = read
    }

    /// The property of an address; nil if the table does not have it.
    ///
    /// COMPAT: channels have properties of their own only if the device mixes, which no device here does, so
    /// every property belongs to element 0.
    static func named(
        by address: AudioObjectPropertyAddress, in table: [HardwareProperty<Subject>]
    ) -> HardwareProperty<Subject>? {
        guard address.mElement == kAudioObjectPropertyElementMain else { return nil }
        return table.first { $0.selector == address.mSelector }
    }
}
