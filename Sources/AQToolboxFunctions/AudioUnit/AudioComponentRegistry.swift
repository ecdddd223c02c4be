// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The registry of audio units, and the pointers by which C programs name its entries.
///
/// A pointer is the address of a byte that belongs to the entry, and the same for the life of the process. Nothing is
/// read from the address that a program passes, because it may be NULL or arbitrary.
///
/// May be used from any thread.
struct AudioComponentRegistry: Sendable {
    /// The instance that the C functions use.
    static let shared = AudioComponentRegistry(AudioComponentEntry.all)

    private let entries: [AudioComponentEntry]
    /// The address of the first entry's byte; the bytes of the others follow in their order.
    private let firstAddress: UInt

    /// Makes a registry, which exists as long as the process.
    init(_ entries: [AudioComponentEntry]) {
        self.entries = entries
        firstAddress = UInt(bitPattern: UnsafeMutablePointer<UInt8>.allocate(capacity: max(entries.count, 1)))
    }

    /// The entry of a component; nil for every pointer that this registry has not returned.
    subscript(component: AudioComponent?) -> AudioComponentEntry? {
        unsafe index(of: component).map { entries[$0] }
    }

    /// The first component of a subtype, for units that are made without a search; nil if there is none.
    func component(type: UInt32, subtype: UInt32) -> AudioComponent? {
        let wanted = AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: 0, componentFlags: 0,
            componentFlagsMask: 0)
        return unsafe next(after: nil, matching: wanted)
    }

    /// The next matching component.
    ///
    /// - Parameter component: The component after which the search continues; nil for the first.
    /// - Returns: The component; nil if there are no more, or if `component` is not one of this registry.
    func next(after component: AudioComponent?, matching wanted: AudioComponentDescription) -> AudioComponent?
    {
        var start = 0
        if unsafe component != nil {
            guard let index = unsafe index(of: component) else { return nil }
            start = index + 1
        }
        guard let index = entries[start...].firstIndex(where: { $0.matches(wanted) }) else { return nil }
        return unsafe AudioComponent(bitPattern: firstAddress + UInt(index))
    }

    /// The number of matching components.
    func count(matching wanted: AudioComponentDescription) -> Int {
        entries.count { $0.matches(wanted) }
    }

    private func index(of component: AudioComponent?) -> Int? {
        let offset = UInt(bitPattern: component) &- firstAddress
        return offset < UInt(entries.count) ? Int(offset) : nil
    }
}
