import AudioDevices
import CAudioToolbox

/// The numbers of the objects: each is given once, and means the same object as long as the process lives.
///
/// A device that vanishes and comes back is known by its number again, as its name is the same. From any thread.
final class HardwareObjectTable: Sendable {
    private struct State {
        var objects: [AudioObjectID: HardwareObject] = [kAudioObjectSystemObject: .system]
        var numbers: [HardwareObject: AudioObjectID] = [.system: kAudioObjectSystemObject]
        // COMPAT: the first numbers belong to objects that every program may name without asking.
        var next: AudioObjectID = 32
    }

    private let state = Monitor(State())

    /// The object's number, given now if it has none yet.
    ///
    /// `kAudioObjectUnknown` once all numbers are given, which no server has names enough for.
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

    /// The object of a number; nil for a number that was never given.
    func object(numbered number: AudioObjectID) -> HardwareObject? {
        state.withLock { $0.objects[number] }
    }
}
