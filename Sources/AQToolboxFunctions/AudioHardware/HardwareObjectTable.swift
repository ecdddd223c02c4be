// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

/// The numbers of the objects: each is assigned once, and names the same object for the life of the process.
///
/// A device that disappears and returns has the same name and therefore the same number. May be used from any
/// thread.
final class HardwareObjectTable: Sendable {
    private struct State {
        var objects: [AudioObjectID: HardwareObject] = [kAudioObjectSystemObject: .system]
        var numbers: [HardwareObject: AudioObjectID] = [.system: kAudioObjectSystemObject]
        // COMPAT: the first numbers belong to objects with fixed numbers.
        var next: AudioObjectID = 32
    }

    private let state = Monitor(State())

    /// The object's number, which is assigned now if the object has none.
    ///
    /// - Returns: The number; `kAudioObjectUnknown` if all numbers are assigned.
    func number(of object: HardwareObject) -> AudioObjectID {
        state.withLock { state in
            if let known = state.numbers[object] { return known }
            guard state.next < AudioObjectID.max else { return kAudioObjectUnknown }
            let number = state.next
            state.next += 1
            state.numbers[object] = number
            state.objects[number] = object
            return number
        }
    }

    /// The object of a number; nil for a number that is not assigned.
    func object(numbered number: AudioObjectID) -> HardwareObject? {
        state.withLock { $0.objects[number] }
    }
}
