// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The two directions in which a device may have a stream.
enum HardwareDirection: Hashable, Sendable, CaseIterable {
    case output, input
}

enum HardwareObject: Hashable, Sendable {
    /// The owner of the devices.
    case system
    /// The device of a name: a sink, a source, or both.
    case device(uid: String)
    /// The only stream of a device in a direction.
    case stream(uid: String, HardwareDirection)
}

extension AudioObjectPropertyAddress {
    /// The directions of the scope: both for the global scope, none for a scope that no device here has.
    var directions: [HardwareDirection] {
        switch mScope {
        case kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeWildcard: HardwareDirection.allCases
        case kAudioObjectPropertyScopeOutput: [.output]
        case kAudioObjectPropertyScopeInput: [.input]
        default: []
        }
    }
}
