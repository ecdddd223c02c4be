// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The code of a client that a device calls in each cycle: a procedure or a block.
@safe struct ProcedureCode: @unchecked Sendable {
    /// The arguments: the current time, the captured audio and its time, the memory for audio and its time.
    typealias Body = (
        UnsafePointer<AudioTimeStamp>, UnsafePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>,
        UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>
    ) -> Void

    // SAFETY: by its contract the client's code may be called on the device's thread, or on its dispatch queue.
    private let body: Body

    init(
        _ procedure: @escaping AudioDeviceIOProc, of device: AudioObjectID,
        _ clientData: UnsafeMutableRawPointer?
    ) {
        unsafe body = { now, input, inputTime, output, outputTime in
            // The published interface ignores the procedure's result.
            unsafe _ = procedure(device, now, input, inputTime, output, outputTime, clientData)
        }
    }

    init(_ block: @escaping AudioDeviceProcedureBlock) { unsafe body = { unsafe block($0, $1, $2, $3, $4) } }

    /// Calls the code for a cycle.
    func callAsFunction(_ cycle: DeviceCycle) {
        unsafe callAsFunction(cycle, output: cycle.output.unsafeMutablePointer)
    }

    /// Calls the code for a cycle, with the memory of a unit for its output.
    @unsafe func callAsFunction(_ cycle: DeviceCycle, output: UnsafeMutablePointer<AudioBufferList>) {
        unsafe body(cycle.now, cycle.input.unsafePointer, cycle.inputTime, output, cycle.outputTime)
    }
}
