// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Synchronization

/// A procedure of a device from a start to a stop: a unit of its own, whose cycles call the client's code.
///
/// The server mixes the units of a device. If the device has an output, the output sets the pace; captured audio is
/// resampled to it.
@safe final class ProcedureRun: @unchecked Sendable {
    // SAFETY: fields without a lock are constant, are set before the unit starts, or belong to the device's thread.

    let unit: IOUnit
    private let code: ProcedureCode?
    private let gate = RenderGate()
    private let devices: UnitDevices
    private let timeline: DeviceTimeline
    private let sampleRate: Double
    private let queue: QueuedCycles?
    private let membership = Monitor<Int?>(nil)
    /// Cycles that begin earlier are not passed to the client.
    private let startHostTime: UInt64
    private let isStarting = Atomic<Bool>(true)
    private var number = 0

    // Of the device's thread.
    private let cycle: DeviceCycle
    private var offset: Double?

    /// - Parameters:
    ///   - code: The client's code; nil runs the device without it.
    ///   - submit: The client's queue; nil for the device's thread.
    /// - Throws: `kAudioDeviceUnsupportedFormatError`, and the errors of the device.
    init(
        on device: HardwareDevice, _ makers: QueueDevices, _ code: ProcedureCode?, _ submit: SendableSubmit?,
        _ timeline: DeviceTimeline, _ hardware: Hardware, startHostTime: UInt64
    ) throws(StatusError) {
        let shape = DeviceCycle.Shape(
            frames: device.bufferFrames, inputChannels: device.input?.channels ?? 0,
            outputChannels: device.output?.channels ?? 0)
        unit = try ProcedureRun.makeUnit(on: device, makers)
        self.code = code
        self.timeline = timeline
        self.startHostTime = startHostTime
        sampleRate = device.sampleRate
        devices = UnitDevices(hardware)
        cycle = DeviceCycle(shape)
        if let code, let submit {
            queue = QueuedCycles(code, gate, shape, sampleRate: sampleRate, submit: submit)
        } else {
            queue = nil
        }
        gate.open()
        unit.setListener { [devices, weak unit] change in
            if let unit { devices.handle(change, of: unit) }
        }
        unsafe unit.setRenderCode { [weak self] _, time, _, frames, list in
            if let list = unsafe list { unsafe self?.play(time.pointee, frames, list) }
            return noErr
        }
        guard shape.outputChannels == 0 else { return }
        unsafe unit.setInputCode { [weak self] _, time, _, frames, _ in
            unsafe self?.capture(time.pointee, frames)
            return noErr
        }
    }

    private static func makeUnit(
        on device: HardwareDevice, _ makers: QueueDevices
    ) throws(StatusError) -> IOUnit {
        let unit: IOUnit
        do throws(DeviceError) {
            unit = IOUnit(
                outputDevice: device.output == nil ? nil : try makers.output(device.uid),
                inputDevice: device.input == nil ? nil : try makers.input(device.uid))
        } catch { throw StatusError(error) }
        try StatusError.translating { () throws(UnitError) in
            try unit.setEnabled(device.output != nil, .output)
            try unit.setEnabled(device.input != nil, .input)
            for (side, endpoint) in [(IOUnit.Side.output, device.output), (.input, device.input)] {
                guard let endpoint else { continue }
                try unit.setClientFormat(
                    .float(channels: endpoint.channels, sampleRate: device.sampleRate), side)
            }
            try unit.setMaximumFrames(IOUnit.bufferFramesRange.upperBound)
            try unit.setBufferFrames(device.bufferFrames)
        }
        return unit
    }

    /// Whether it runs, or is about to.
    var isRunning: Bool { isStarting.load(ordering: .acquiring) || unit.isRunning }

    /// Starts, and returns when the device runs.
    ///
    /// - Throws: `kAudioHardwareUnspecifiedError` if the device cannot be used.
    func start() throws(StatusError) {
        number = timeline.join(sampleRate: sampleRate, at: aq_host_time())
        membership.withLock { $0 = number }
        defer { isStarting.store(false, ordering: .releasing) }
        try StatusError.translating { () throws(UnitError) in
            try unit.initialize()
            try unit.start()
        }
    }

    /// Ends. Waits until the client's code has ended, unless that code makes the call. Further calls wait too.
    func end() {
        gate.close()
        queue?.close()
        unit.uninitialize()
        devices.end()
        let left = membership.withLock { $0.take() }
        if let left { timeline.leave(left) }
    }

    // MARK: The device's thread

    private func play(_ time: AudioTimeStamp, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>) {
        var time = time
        time.mSampleTime = timeline.place(
            number, &offset, frame: time.mSampleTime, hostTime: time.mHostTime)
        guard let code, isDue(time, frames) else { return }
        guard let queue else {
            guard gate.enter() else { return }
            defer { gate.leave() }
            prepare(cycle, output: time, frames)
            return unsafe code(cycle, output: list)
        }
        guard let cycle = queue.take() else { return reportLate() }
        cycle.prepareOutput(frames: frames)
        prepare(cycle, output: time, frames)
        // The server has a slice left, of which a part is needed for the way to it.
        let deadline = aq_host_time() + nanoseconds(frames) / 4 * 3
        guard queue.call(cycle, until: deadline) else { return reportLate() }
        unsafe cycle.copyOutput(to: list)
        queue.giveBack(cycle)
    }

    /// Sets the times of a cycle with output, and captures its input.
    private func prepare(_ cycle: DeviceCycle, output time: AudioTimeStamp, _ frames: Int) {
        let now = aq_host_time()
        unsafe cycle.outputTime.pointee = time
        unsafe cycle.now.pointee = stamp(now, time)
        guard cycle.shape.inputChannels > 0 else { return }
        unsafe cycle.inputTime.pointee = stamp(now &- nanoseconds(frames), time)
        cycle.prepareInput(frames: frames)
        if unsafe (try? unit.render(bus: 1, frames: frames, into: cycle.input)) == nil {
            cycle.prepareInput(frames: frames)
            cycle.silenceInput()
        }
    }

    private func capture(_ time: AudioTimeStamp, _ frames: Int) {
        var time = time
        time.mSampleTime = timeline.place(
            number, &offset, frame: time.mSampleTime, hostTime: time.mHostTime)
        guard let code, isDue(time, frames) else { return }
        guard let queue else {
            guard gate.enter() else { return }
            defer { gate.leave() }
            if fetch(cycle, time, frames) { code(cycle) }
            return
        }
        guard let cycle = queue.take() else { return reportLate() }
        if fetch(cycle, time, frames) { queue.call(cycle) } else { queue.giveBack(cycle) }
    }

    /// Copies captured frames to a cycle, and sets its times; returns false if there are none.
    private func fetch(_ cycle: DeviceCycle, _ time: AudioTimeStamp, _ frames: Int) -> Bool {
        guard frames <= cycle.shape.frames else { return false }
        unsafe cycle.inputTime.pointee = time
        unsafe cycle.now.pointee = stamp(aq_host_time(), time)
        cycle.prepareInput(frames: frames)
        return unsafe (try? unit.render(bus: 1, frames: frames, into: cycle.input)) != nil
    }

    /// Reports that the client's queue is late, unless the run ends.
    private func reportLate() { if gate.isOpen { devices.overload() } }

    /// Whether the middle of a cycle is not before the requested start.
    private func isDue(_ time: AudioTimeStamp, _ frames: Int) -> Bool {
        time.mHostTime &+ nanoseconds(frames) / 2 >= startHostTime
    }

    private func nanoseconds(_ frames: Int) -> UInt64 { UInt64(Double(frames) / max(1, sampleRate) * 1e9) }

    /// The time stamp of a host time, on the line of a cycle's time.
    private func stamp(_ hostTime: UInt64, _ time: AudioTimeStamp) -> AudioTimeStamp {
        let line = DeviceTimeline.Line(
            sampleTime: time.mSampleTime, hostTime: time.mHostTime, sampleRate: sampleRate)
        var stamp = time
        (stamp.mSampleTime, stamp.mHostTime) = (line.sampleTime(at: hostTime), hostTime)
        return stamp
    }
}

extension StatusError {
    /// Calls `body`, and translates the errors of units to those of devices.
    fileprivate static func translating(_ body: () throws(UnitError) -> Void) throws(StatusError) {
        do throws(UnitError) { try body() } catch {
            let isFormat = error.code == .formatNotSupported
            throw StatusError(isFormat ? kAudioDeviceUnsupportedFormatError : kAudioHardwareUnspecifiedError)
        }
    }
}
