// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The identity of a listener for its removal: addresses that are only compared.
struct HardwareListenerKey: Hashable, Sendable {
    private let addresses: [UInt]

    init(_ addresses: UInt...) { self.addresses = addresses }
}

/// The function of a listener, and its identity.
struct HardwareListenerTarget: @unchecked Sendable {
    // SAFETY: by its contract the client's function may be called on a thread of the library.
    let key: HardwareListenerKey
    let notify: (AudioObjectID, [AudioObjectPropertyAddress]) -> Void

    init(
        _ key: HardwareListenerKey, _ notify: @escaping (AudioObjectID, [AudioObjectPropertyAddress]) -> Void
    ) {
        self.key = key
        self.notify = notify
    }
}
