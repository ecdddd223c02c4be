// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox
public import CoreFoundation

// The published functions that add and remove the completion procedures of system sounds.

/// Sets the procedure that is called each time a sound has ended, in place of an earlier one.
///
/// The number may be that of any sound, or of none. The procedure is called once for each playback, also if it was
/// dropped or failed.
///
/// - Parameters:
///   - runLoop: The run loop for the calls; NULL for the main one.
///   - mode: The mode of the run loop; NULL for the default mode.
/// - Returns: `kAudio_ParamError` without a procedure, `kAudio_MemFullError` if memory is insufficient,
///   `kAudioServicesSystemSoundUnspecifiedError` in a forked child.
@_cdecl("AudioServicesAddSystemSoundCompletion")
public func audioServicesAddSystemSoundCompletion(
    _ systemSoundID: SystemSoundID, _ runLoop: CFRunLoop?, _ mode: CFString?,
    _ procedure: AudioServicesSystemSoundCompletionProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    guard !ForkedChild.isCurrent else { return kAudioServicesSystemSoundUnspecifiedError }
    return QueueError.status { () throws(QueueError) in
        let completion = try unsafe SoundCompletion(
            of: systemSoundID, procedure, clientData, runLoop: runLoop, mode: mode)
        SoundCompletions.shared.set(completion, of: systemSoundID)
    }
}

/// Removes the procedure of a sound. It is not called after the return, unless a call is running.
@_cdecl("AudioServicesRemoveSystemSoundCompletion")
public func audioServicesRemoveSystemSoundCompletion(_ systemSoundID: SystemSoundID) {
    guard !ForkedChild.isCurrent else { return }
    SoundCompletions.shared.remove(systemSoundID)
}
