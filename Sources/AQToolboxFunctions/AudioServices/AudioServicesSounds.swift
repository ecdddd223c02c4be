// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox
public import CoreFoundation
import Dispatch
import AQSystemSounds

// The published functions that make, play and release system sounds.

/// Makes a sound of a file, which is read and decoded at once.
///
/// The file is WAVE, AIFF, AIFF-C or CAF, with linear PCM or IMA 4:1. A sound that is not disposed of remains in memory.
///
/// - Parameters:
///   - url: The URL of a file in the file system.
///   - outSystemSoundID: Receives the sound's number; unchanged if the function fails.
/// - Returns: `kAudioServicesSystemSoundUnspecifiedError` for a file that cannot be read or is of another type, and in a
///   forked child; `kAudioServicesSystemSoundExceededMaximumDurationError` if it is longer than 30 s;
///   `kAudio_ParamError` for NULL.
@_cdecl("AudioServicesCreateSystemSoundID")
public func audioServicesCreateSystemSoundID(
    _ url: CFURL?, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
    guard let url, let outSystemSoundID = unsafe outSystemSoundID else { return kAudio_ParamError }
    guard !ForkedChild.isCurrent, let path = AudioFileObject.path(of: url) else {
        return kAudioServicesSystemSoundUnspecifiedError
    }
    do throws(SoundClipError) {
        unsafe outSystemSoundID.pointee = SystemSounds.shared.add(try SoundClip(contentsOf: path))
        return kAudioServicesNoError
    } catch {
        switch error {
        case .unreadable: return kAudioServicesSystemSoundUnspecifiedError
        case .tooLong: return kAudioServicesSystemSoundExceededMaximumDurationError
        }
    }
}

/// Releases a sound and its completion procedure.
///
/// COMPAT: a sound that plays is stopped, with a short fade, as on Apple's systems: programs release a sound in its
/// completion. Blocks of its playbacks are still called; the procedure is not.
///
/// - Returns: `kAudioServicesSystemSoundUnspecifiedError` for a number without a sound, and for a built-in sound.
@_cdecl("AudioServicesDisposeSystemSoundID")
public func audioServicesDisposeSystemSoundID(_ systemSoundID: SystemSoundID) -> OSStatus {
    guard !ForkedChild.isCurrent else { return kAudioServicesSystemSoundUnspecifiedError }
    SoundCompletions.shared.remove(systemSoundID)
    return SystemSounds.shared.remove(systemSoundID)
        ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Plays a sound, and returns at once.
///
/// Sounds overlap, also with themselves. At most 32 play at once; those started meanwhile are dropped. A number without
/// a sound plays nothing. In all cases the sound's completion procedure is called.
///
/// May be called from any thread. In a forked child nothing is played, and nothing is called.
@_cdecl("AudioServicesPlaySystemSound")
public func audioServicesPlaySystemSound(_ systemSoundID: SystemSoundID) {
    play(systemSoundID, completion: nil)
}

/// Plays a sound as an alert, which is the same here: there is no vibration.
///
/// As ``audioServicesPlaySystemSound(_:)``.
@_cdecl("AudioServicesPlayAlertSound")
public func audioServicesPlayAlertSound(_ systemSoundID: SystemSoundID) {
    play(systemSoundID, completion: nil)
}

/// Plays a sound, and calls a block after its end, or at once if it cannot be played.
///
/// As ``audioServicesPlaySystemSound(_:)``.
///
/// - Parameter completion: Called once on a serial dispatch queue of the library, which all these blocks share.
@_cdecl("AudioServicesPlaySystemSoundWithCompletion")
public func audioServicesPlaySystemSoundWithCompletion(
    _ systemSoundID: SystemSoundID, _ completion: (@convention(block) () -> Void)?
) {
    play(systemSoundID, completion: CompletionBlock(completion))
}

/// Plays a sound as an alert, which is the same here, and calls a block.
///
/// As ``audioServicesPlaySystemSoundWithCompletion(_:_:)``.
@_cdecl("AudioServicesPlayAlertSoundWithCompletion")
public func audioServicesPlayAlertSoundWithCompletion(
    _ systemSoundID: SystemSoundID, _ completion: (@convention(block) () -> Void)?
) {
    play(systemSoundID, completion: CompletionBlock(completion))
}

// MARK: Common parts

/// The queue of the clients' blocks.
private let completionQueue = DispatchQueue(label: "aq system sounds")

/// A client's block, which is called once.
///
/// QUIRK: a class, because generic code, such as that of optional structs with a block, has no metadata for blocks on
/// Linux, and crashes.
private final class CompletionBlock: @unchecked Sendable {
    // SAFETY: by its contract the block may be called on a queue of the library.
    private let block: @convention(block) () -> Void

    init?(_ block: (@convention(block) () -> Void)?) {
        guard let block else { return nil }
        self.block = block
    }

    func call() { block() }
}

private func play(_ number: SystemSoundID, completion: CompletionBlock?) {
    guard !ForkedChild.isCurrent else { return }
    SystemSounds.shared.play(number) {
        SoundCompletions.shared.notify(number)
        if let completion { completionQueue.async { completion.call() } }
    }
}
