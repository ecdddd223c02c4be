import CAudioToolbox

/// What a listener is known by when it is to be removed: addresses that are compared and not followed.
struct HardwareListenerKey: Hashable, Sendable {
    private let addresses: [UInt]

    init(_ addresses: UInt...) { self.addresses = addresses }
}

/// Whom to tell of changes, and by what it is known.
struct HardwareListenerTarget: @unchecked Sendable {
    // SAFETY: `call` is the client's, who gave it to be called on a thread of the library.
    let key: HardwareListenerKey
    private let call: (AudioObjectID, [AudioObjectPropertyAddress]) -> Void

    init(
        _ key: HardwareListenerKey, _ call: @escaping (AudioObjectID, [AudioObjectPropertyAddress]) -> Void
    ) {
        self.key = key
        self.call = call
    }

    func tell(_ objectID: AudioObjectID, _ addresses: [AudioObjectPropertyAddress]) {
        call(objectID, addresses)
    }
}
