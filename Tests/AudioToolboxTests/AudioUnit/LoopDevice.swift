// SPDX-License-Identifier: MIT

import CAQAllocationMeter
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport

@testable import AQDevices

/// A device without hardware whose streams have a thread that runs the client's code, as the streams of a server do.
///
/// Every period of about a millisecond each running stream renders a slice, or captures a fragment of silence.
final class LoopDevice: OutputDevice, InputDevice {
    /// A thread for the streams of a unit. It is used again when they have ended.
    fileprivate final class Thread: Sendable {
        let loop: PulseLoop
        private let isTicking = Atomic<Bool>(false)
        let streams = Monitor<[any LoopStream]>([])

        init(_ loop: PulseLoop) { self.loop = loop }

        /// Advances the streams on the thread, unless it has not done so since the last call.
        func tick() {
            guard !isTicking.exchange(true, ordering: .acquiringAndReleasing) else { return }
            loop.perform { [self] in
                isTicking.store(false, ordering: .releasing)
                for stream in streams.withLock({ $0 }) { stream.tick() }
                loop.wakeService()
            }
        }

        /// Ends the use by a closed stream, once the client has handled the last event.
        func giveBack(_ stream: any LoopStream, to device: LoopDevice) {
            guard !loop.hasService else { return }
            streams.withLock { $0.removeAll { $0 === stream } }
            device.giveBack(self)
        }
    }

    private struct State {
        var threads: [Thread] = []
        var free: [Thread] = []
        var outputs: [SoftwareStream] = []
        var inputs: [SoftwareInputStream] = []
        var isPacing = false
        var gain: Float = 1
    }

    let name = "loop"
    /// The slices that were rendered, and the allocations and locks of these calls.
    let slices = Tally()
    let sliceAllocations = Tally()
    let sliceLocks = Tally()
    /// The factor that an output stream has got last; 1 at first.
    var gain: Float { state.withLock { $0.gain } }
    private let state = Monitor(State())

    // MARK: Streams

    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        (48_000, 2)
    }

    func makeStream(_ configuration: OutputStreamConfiguration) throws(DeviceError) -> any OutputStream {
        let stream = SoftwareStream(configuration, deviceName: name, requestFrames: 64, hasClock: false)
        state.withLock { $0.outputs.append(stream) }
        return LoopOutput(stream, configuration.slices, on: try takeThread(), of: self)
    }

    func makeStream(_ configuration: InputStreamConfiguration) throws(DeviceError) -> any InputStream {
        let stream = SoftwareInputStream(
            configuration, deviceName: name, native: (48_000, 2), periodFrames: 0, hasThread: false)
        state.withLock { $0.inputs.append(stream) }
        return LoopInput(stream, on: try takeThread(), of: self)
    }

    private func takeThread() throws(DeviceError) -> Thread {
        defer { state.notifyAll() }
        if let thread = state.withLock({ $0.free.popLast() }) { return thread }
        guard let mainloop = PulseMainloop.make() else { throw DeviceError(.refused, "no memory") }
        let thread = Thread(PulseLoop(mainloop, servesClient: true))
        guard thread.loop.start() else { throw DeviceError(.refused, "no thread") }
        let startsPacing = state.withLock { state in
            state.threads.append(thread)
            defer { state.isPacing = true }
            return !state.isPacing
        }
        if startsPacing { _ = DetachedThread.start(named: "loop pacer") { [self] in pace() } }
        return thread
    }

    fileprivate func noteGain(_ gain: Float) { state.withLock { $0.gain = gain } }

    /// Makes a thread available to other streams.
    fileprivate func giveBack(_ thread: Thread) { state.withLock { $0.free.append(thread) } }

    /// As long as the process. Sleeps while no stream is open.
    private func pace() {
        while true {
            _ = state.wait(until: .max) { $0.free.count == $0.threads.count }
            usleep(300)
            for thread in state.withLock({ $0.threads }) { thread.tick() }
        }
    }

    // MARK: Faults

    /// The number of streams that are not closed.
    var openStreams: Int {
        state.withLock { state in
            state.outputs.removeAll { $0.isClosed }
            state.inputs.removeAll { $0.isClosed }
            return state.outputs.count + state.inputs.count
        }
    }

    func interrupt() { for (output, input) in pairs() { output?.interrupt(); input?.interrupt() } }

    func resume() { for (output, input) in pairs() { output?.resume(); input?.resume(missingFrames: 100) } }

    /// Ends the streams of one direction, or of both, with an error.
    func fail(outputs: Bool = true, inputs: Bool = true) {
        let error = DeviceError(.connectionLost, "injected")
        for (output, input) in pairs() {
            if outputs { output?.fail(error) }
            if inputs { input?.fail(error) }
        }
    }

    private func pairs() -> [(SoftwareStream?, SoftwareInputStream?)] {
        state.withLock { state in
            state.outputs.filter { !$0.isClosed }.map { ($0, nil) }
                + state.inputs.filter { !$0.isClosed }.map { (nil, $0) }
        }
    }
}

/// A stream that its thread advances.
private protocol LoopStream: AnyObject, Sendable {
    func tick()
}

/// A playback stream, which renders slices and discards them.
private final class LoopOutput: OutputStream, LoopStream, @unchecked Sendable {
    // SAFETY: only the thread uses the frame.
    private let stream: SoftwareStream
    private let slices: SliceSource?
    private let thread: LoopDevice.Thread
    private let device: LoopDevice
    private var frame: Int64 = 0

    init(
        _ stream: SoftwareStream, _ slices: SliceSource?, on thread: LoopDevice.Thread, of device: LoopDevice
    ) {
        (self.stream, self.slices, self.thread, self.device) = (stream, slices, thread, device)
        thread.streams.withLock { $0.append(self) }
    }

    var servingThread: ServingThread? { ServingThread(thread.loop, of: nil) }

    func tick() {
        if stream.isClosed {
            thread.giveBack(self, to: device)
        } else if stream.isRunning, let slices {
            slices.now = aq_host_time()
            let before = (aq_meter_allocations(), aq_meter_locks())
            slices.render(from: frame)
            device.sliceAllocations.add(aq_meter_allocations() - before.0)
            device.sliceLocks.add(aq_meter_locks() - before.1)
            device.slices.add(1)
            frame += Int64(slices.frames)
        }
    }

    var feed: StreamFeed { stream.feed }
    func prepare() {}
    func start() { stream.start() }
    func pause(ticket: UInt64) { stream.pause(ticket: ticket) }
    func stop(ticket: UInt64) { stream.stop(ticket: ticket) }
    func flush(ticket: UInt64) { stream.flush(ticket: ticket) }
    func drain(ticket: UInt64) { stream.drain(ticket: ticket) }
    func close(ticket: UInt64) { stream.close(ticket: ticket) }
    func dataAvailable() {}
    func setGain(_ gain: Float, rampSeconds: Double) {
        device.noteGain(gain)
        stream.setGain(gain, rampSeconds: rampSeconds)
    }
    func setMetering(_ isOn: Bool) {}
    func levels() -> [ChannelLevel] { [] }
    func position() -> PlaybackPosition { stream.position() }
    var deviceClock: DeviceClockReading? { nil }
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { hostTime }
    var granted: GrantedLatency? { nil }
}

/// A capture stream of silence.
private final class LoopInput: InputStream, LoopStream, @unchecked Sendable {
    // SAFETY: only the thread uses the fragment.
    private let stream: SoftwareInputStream
    private let thread: LoopDevice.Thread
    private let device: LoopDevice
    private var fragmentFrames = 64

    init(_ stream: SoftwareInputStream, on thread: LoopDevice.Thread, of device: LoopDevice) {
        (self.stream, self.thread, self.device) = (stream, thread, device)
        thread.streams.withLock { $0.append(self) }
    }

    var servingThread: ServingThread? { ServingThread(thread.loop, of: nil) }

    func tick() {
        if stream.isClosed {
            thread.giveBack(self, to: device)
        } else {
            unsafe stream.capture(nil, frames: fragmentFrames, hostTime: aq_host_time())
            fragmentFrames = fragmentFrames % 511 + 50
        }
    }

    var feed: StreamFeed { stream.feed }
    func start(fragmentFrames: Int) { stream.start(fragmentFrames: fragmentFrames) }
    func pause(ticket: UInt64) { stream.pause(ticket: ticket) }
    func stop(ticket: UInt64) { stream.stop(ticket: ticket) }
    func flush(ticket: UInt64) { stream.flush(ticket: ticket) }
    func reset(ticket: UInt64) { stream.reset(ticket: ticket) }
    func close(ticket: UInt64) { stream.close(ticket: ticket) }
    func roomAvailable() { stream.roomAvailable() }
    func setGain(_ gain: Float) {}
    func setMetering(_ isOn: Bool) {}
    func levels() -> [ChannelLevel] { [] }
    func position() -> CapturePosition { stream.position() }
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { hostTime }
    var granted: GrantedLatency? { nil }
}
