// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// A property of one class of objects: its selector, and the function that reads its value.
struct HardwareProperty<Subject: Sendable>: Sendable {
    typealias Reader = @Sendable (Subject, AudioObjectPropertyAddress) -> HardwareValue?

    let selector: AudioObjectPropertySelector
    let isSettable: Bool
    /// Whether elements from 1, the channels, have the property too.
    let belongsToChannels: Bool
    /// The function that reads the value; nil if the subject has no such property in the scope of the address.
    let read: Reader

    init(
        _ selector: AudioObjectPropertySelector, isSettable: Bool = false, ofChannels: Bool = false,
        _ read: @escaping Reader
    ) {
        self.selector = selector
        self.isSettable = isSettable
        belongsToChannels = ofChannels
        self.read = read
    }

    /// The property of an address; nil if the table does not have it.
    static func named(
        by address: AudioObjectPropertyAddress, in table: [HardwareProperty<Subject>]
    ) -> HardwareProperty<Subject>? {
        let property = table.first { $0.selector == address.mSelector }
        guard let property, address.mElement != kAudioObjectPropertyElementMain else { return property }
        return property.belongsToChannels ? property : nil
    }
}
