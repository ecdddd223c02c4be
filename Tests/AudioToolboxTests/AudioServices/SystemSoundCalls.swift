// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CoreFoundation
import Dispatch
import AQTestSupport

@testable import AQToolboxFunctions

/// A sound of the C functions, made of a file.
@safe final class SystemSoundCalls {
    let number: SystemSoundID
    let status: OSStatus

    init(_ path: String) {
        var number: SystemSoundID = 0
        status = unsafe audioServicesCreateSystemSoundID(url(of: path), &number)
        self.number = number
    }

    deinit { _ = audioServicesDisposeSystemSoundID(number) }

    /// Plays a sound on a device.
    static func play(
        _ number: SystemSoundID, on device: any OutputDevice, completion: (@Sendable () -> Void)? = nil
    ) {
        _ = TestDevices.with(output: device) {
            if let completion {
                audioServicesPlaySystemSoundWithCompletion(number) { completion() }
            } else {
                audioServicesPlaySystemSound(number)
            }
            return noErr
        }
    }
}

/// The calls of a completion procedure.
@safe final class SoundEnds: Sendable {
    private let numbers = Monitor<[SystemSoundID]>([])

    var all: [SystemSoundID] { numbers.withLock { $0 } }
    func add(_ number: SystemSoundID) { numbers.withLock { $0.append(number) } }

    /// The client data of a procedure. The object must outlive the procedure.
    var clientData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}

/// Records the end of a sound.
func recordSoundEnd(_ number: SystemSoundID, _ clientData: UnsafeMutableRawPointer?) {
    guard let clientData = unsafe clientData else { return }
    unsafe Unmanaged<SoundEnds>.fromOpaque(clientData).takeUnretainedValue().add(number)
}
