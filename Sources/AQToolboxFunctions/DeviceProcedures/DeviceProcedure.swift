// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// A procedure that a client has added to a device, or the use of a device without one.
final class DeviceProcedure: Sendable {
    private struct State {
        /// The run since the last start.
        var run: ProcedureRun?
        /// The last run, whose client's code may not have ended.
        var last: ProcedureRun?
        var isRemoved = false
    }

    let uid: String
    private let code: ProcedureCode?
    private let submit: SendableSubmit?
    private let state = Monitor(State())

    init(of uid: String, _ code: ProcedureCode?, submit: SendableSubmit? = nil) {
        self.uid = uid
        self.code = code
        self.submit = submit
    }

    /// Starts, and returns when the device runs. Does nothing if the procedure runs.
    ///
    /// - Parameter hostTime: The time of the first cycle; 0 for as soon as possible.
    /// - Throws: `kAudioHardwareBadDeviceError` for a device that has disappeared, `kAudioHardwareNotRunningError` if
    ///   no server answers, `kAudioHardwareUnspecifiedError` if the device cannot be used.
    func start(
        _ hardware: Hardware, _ makers: QueueDevices, _ timeline: DeviceTimeline, at hostTime: UInt64 = 0
    ) throws(StatusError) {
        if state.withLock({ $0.run })?.isRunning == true { return }
        // A run whose device has failed does not run.
        stop()
        guard let device = try hardware.snapshot().device(uid) else {
            throw StatusError(kAudioHardwareBadDeviceError)
        }
        let run = try ProcedureRun(
            on: device, makers, code, submit, timeline, hardware, startHostTime: hostTime)
        let isOnly = state.withLock { state in
            guard state.run == nil, !state.isRemoved else { return false }
            state.run = run
            return true
        }
        // Another thread has started or removed the procedure meanwhile.
        guard isOnly else { return }
        do throws(StatusError) {
            try run.start()
        } catch {
            state.withLock { if $0.run === run { $0.run = nil } }
            run.end()
            throw error
        }
        // If another thread has stopped it meanwhile, it may have started behind that stop.
        if !state.withLock({ $0.run === run }) { run.end() }
    }

    /// Stops, and returns when the client's code has ended, unless that code makes the call.
    func stop() {
        let last = state.withLock { state in
            if let run = state.run { state.last = run }
            state.run = nil
            return state.last
        }
        last?.end()
    }

    /// Stops permanently.
    func remove() {
        state.withLock { $0.isRemoved = true }
        stop()
    }
}
