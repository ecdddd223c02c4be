// SPDX-License-Identifier: MIT

import CAudioToolbox

/// The published functions that are not implemented.
///
/// Each has a definition that returns ``status`` for valid arguments. To implement one, replace that definition and
/// delete its case here: another use of the case does not compile.
enum UnsupportedFunction: CaseIterable {
    // AudioHardware.h and AudioHardwareDeprecated.h, in DeviceProcedures.swift.
    case audioDeviceCreateIOProcID, audioDeviceCreateIOProcIDWithBlock, audioDeviceDestroyIOProcID
    case audioDeviceStart, audioDeviceStartAtTime, audioDeviceStop
    case audioDeviceGetCurrentTime, audioDeviceTranslateTime, audioDeviceGetNearestStartTime
    case audioDeviceAddIOProc, audioDeviceRemoveIOProc

    /// The result of the function for valid arguments.
    var status: OSStatus {
        switch self {
        case .audioDeviceCreateIOProcID, .audioDeviceCreateIOProcIDWithBlock, .audioDeviceDestroyIOProcID,
            .audioDeviceStart, .audioDeviceStartAtTime, .audioDeviceStop, .audioDeviceAddIOProc,
            .audioDeviceRemoveIOProc:
            kAudioHardwareUnsupportedOperationError
        case .audioDeviceGetCurrentTime, .audioDeviceTranslateTime, .audioDeviceGetNearestStartTime:
            kAudioHardwareNotRunningError
        }
    }
}
