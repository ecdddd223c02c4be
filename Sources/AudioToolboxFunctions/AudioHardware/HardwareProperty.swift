import CAudioToolbox

/// A property of one kind of object: its selector, and how its value is found.
struct HardwareProperty<Subject: Sendable>: Sendable {
    typealias Reader = @Sendable (Subject, AudioObjectPropertyAddress) -> HardwareValue?

    let selector: AudioObjectPropertySelector
    /// Whether there are values that the property can be set to.
    let isSettable: Bool
    /// The value; nil when the subject has no such property in the scope that the address names.
    let read: Reader

    init(_ selector: AudioObjectPropertySelector, isSettable: Bool = false, _ read: @escaping Reader) {
        self.selector = selector
        self.isSettable = isSettable
        self.read = read
    }

    /// The property that an address names, if it is in the table.
    ///
    /// COMPAT: channels have properties of their own only where the device mixes, which is nowhere here, so
    /// that every property is of element 0.
    static func named(
        by address: AudioObjectPropertyAddress, in table: [HardwareProperty<Subject>]
    ) -> HardwareProperty<Subject>? {
        guard address.mElement == kAudioObjectPropertyElementMain else { return nil }
        return table.first { $0.selector == address.mSelector }
    }
}
