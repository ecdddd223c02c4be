import CAudioToolbox

/// The two directions in which a device may have a stream.
enum HardwareDirection: Hashable, Sendable, CaseIterable {
    case output, input
}

/// What an object of the hardware API stands for.
enum HardwareObject: Hashable, Sendable {
    /// Owns the devices.
    case system
    /// The sink, the source, or both, of this name.
    case device(uid: String)
    /// The one stream of a device in a direction.
    case stream(uid: String, HardwareDirection)
}

extension AudioObjectPropertyAddress {
    /// The directions that the scope is of: both for the global one, none for one that no device here has.
    var directions: [HardwareDirection] {
        switch mScope {
        case kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeWildcard: HardwareDirection.allCases
        case kAudioObjectPropertyScopeOutput: [.output]
        case kAudioObjectPropertyScopeInput: [.input]
        default: []
        }
    }
}
