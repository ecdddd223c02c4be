// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CoreFoundation

/// The completion procedures of system sounds, by the numbers of the sounds.
final class SoundCompletions: Sendable {
    /// The procedures that the C functions use.
    static let shared = SoundCompletions()

    private let targets = Monitor<[SystemSoundID: SoundCompletion]>([:])

    init() {}

    /// Sets the procedure of a sound, in place of an earlier one.
    func set(_ target: SoundCompletion, of number: SystemSoundID) {
        let replaced = targets.withLock { $0.updateValue(target, forKey: number) }
        replaced?.end()
    }

    /// Removes the procedure of a sound, if it has one.
    func remove(_ number: SystemSoundID) {
        let removed = targets.withLock { $0.removeValue(forKey: number) }
        removed?.end()
    }

    /// Calls the procedure of a sound, if it has one, on its run loop.
    func notify(_ number: SystemSoundID) { targets.withLock { $0[number] }?.notify() }
}

/// A client's completion procedure, and the run loop on which it is called.
@safe final class SoundCompletion: @unchecked Sendable {
    // SAFETY: by its contract the procedure may be called on the run loop; the rest is constant or behind a lock.
    private let number: SystemSoundID
    private let procedure: AudioServicesSystemSoundCompletionProc
    private let clientData: UnsafeMutableRawPointer?
    private let context: RunLoopContext
    /// The number of calls that are due.
    private let due = Monitor(0)

    /// Prepares the run loop.
    ///
    /// - Parameters:
    ///   - runLoop: Nil for the main run loop.
    ///   - mode: Nil for the default mode.
    /// - Throws: ``QueueError/Code/outOfMemory``.
    init(
        of number: SystemSoundID, _ procedure: @escaping AudioServicesSystemSoundCompletionProc,
        _ clientData: UnsafeMutableRawPointer?, runLoop: CFRunLoop?, mode: CFString?
    ) throws(QueueError) {
        self.number = number
        unsafe self.procedure = procedure
        unsafe self.clientData = clientData
        context = RunLoopContext(runLoop ?? CFRunLoopGetMain(), mode: mode ?? kCFRunLoopDefaultMode)
        // The run loop keeps this object until the end.
        try context.begin { [self] in deliver() }
    }

    func notify() {
        due.withLock { $0 += 1 }
        context.schedule()
    }

    /// Makes one call that is due; false if there is none. On the run loop.
    private func deliver() -> Bool {
        let isDue = due.withLock { due in
            guard due > 0 else { return false }
            due -= 1
            return true
        }
        guard isDue else { return false }
        unsafe procedure(number, clientData)
        return true
    }

    /// Prevents further calls. A call that is running completes.
    func end() {
        due.withLock { $0 = 0 }
        context.end()
    }
}
