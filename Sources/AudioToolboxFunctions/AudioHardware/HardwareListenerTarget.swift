import CAudioToolbox

/// The identity of a listener for its removal: addresses that are only compared.
struct HardwareListenerKey: Hashable, Sendable {
    private let addresses: [UInt]

    init(_ addresses: UInt...) { self.addresses = addresses }
}

/// The function of a listener, and its identity.
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

    func notify(_ objectID: AudioObjectID, _ addresses: [AudioObjectPropertyAddress]) {
        call(objectID, addresses)
    }
}
