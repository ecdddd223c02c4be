// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CoreAudioTypes
import AQSoundHarness
import Synchronization

@testable import AQToolboxFunctions

/// Procedures of the devices of a private server.
struct ProcedureRig {
    let hardware: Hardware
    let registry: ProcedureRegistry

    init(_ server: PulseServer) {
        let address = "unix:\(server.socketPath)"
        hardware = Hardware(source: PulseHardware(server: address))
        registry = ProcedureRegistry(hardware) { ProcedureRig.devices(of: address) }
    }

    init(_ registry: ProcedureRegistry) {
        hardware = registry.hardware
        self.registry = registry
    }

    /// The devices of a server; those of a source replaced by another source.
    static func devices(of server: String, source: String? = nil, sink: String? = nil) -> QueueDevices {
        var devices = QueueDevices.server
        devices.output = { (name: String?) throws(DeviceError) -> any OutputDevice in
            try PulseDevice(sink: sink ?? name, server: server)
        }
        devices.input = { (name: String?) throws(DeviceError) -> any InputDevice in
            try PulseSource(source: source ?? name, server: server)
        }
        return devices
    }

    /// Adds code to a device, and returns its ID.
    func add(
        to uid: String, submit: SendableSubmit? = nil, _ body: @escaping @Sendable (CycleView) -> Void
    ) throws -> UInt {
        let code = unsafe ProcedureCode { now, input, inputTime, output, outputTime in
            body(
                unsafe CycleView(
                    now: now.pointee, inputTime: inputTime.pointee, outputTime: outputTime.pointee,
                    input: UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input)),
                    output: UnsafeMutableAudioBufferListPointer(output)))
        }
        return try registry.add(DeviceProcedure(of: uid, code, submit: submit))
    }

    func set(_ selector: AudioObjectPropertySelector, of uid: String, to value: UInt32) throws {
        var value = value
        try unsafe hardware.set(address(selector), of: .device(uid: uid), to: HardwareData(&value, 4))
    }

    func number(_ selector: AudioObjectPropertySelector, of uid: String) throws -> UInt32 {
        guard case .number(let number) = try hardware.value(of: address(selector), of: .device(uid: uid))
        else { return .max }
        return number
    }

    /// Calls `body` for each change of a device's property, until the rig's hardware ends.
    func listen(
        _ selector: AudioObjectPropertySelector, of uid: String, _ body: @escaping @Sendable () -> Void
    ) throws {
        try hardware.listeners.add(
            HardwareListeners.Listener(
                object: .device(uid: uid), objectID: 40, address: address(selector),
                target: HardwareListenerTarget(HardwareListenerKey(UInt(selector))) { _, _ in body() }))
    }

    func endListening(_ selector: AudioObjectPropertySelector, of uid: String) throws {
        try hardware.listeners.remove(
            .device(uid: uid), address(selector), HardwareListenerKey(UInt(selector)))
    }
}

/// The arguments of a cycle, during the call.
@safe struct CycleView {
    var now: AudioTimeStamp
    var inputTime: AudioTimeStamp
    var outputTime: AudioTimeStamp
    // SAFETY: used during the call only.
    let input: UnsafeMutableAudioBufferListPointer
    let output: UnsafeMutableAudioBufferListPointer

    var inputBuffers: Int { unsafe input.count }
    var outputBuffers: Int { unsafe output.count }
    var outputFrames: Int {
        unsafe output.first.map { unsafe Int($0.mDataByteSize) / 4 / Int($0.mNumberChannels) } ?? 0
    }

    /// The captured samples.
    var captured: [Float] {
        unsafe input.first.map { unsafe Array(UnsafeMutableBufferPointer<Float>($0)) } ?? []
    }

    var isOutputSilent: Bool {
        unsafe output.first.map { unsafe UnsafeMutableBufferPointer<Float>($0).allSatisfy { $0 == 0 } }
            ?? true
    }

    func play(_ samples: [Float]) {
        guard let buffer = unsafe output.first else { return }
        let target = unsafe UnsafeMutableBufferPointer<Float>(buffer)
        for index in 0..<min(target.count, samples.count) { unsafe target[index] = samples[index] }
    }

    func play(_ level: Float) { play([Float](repeating: level, count: outputFrames * 2)) }
}

/// Plays the test signal once, and records the cycles.
final class SignalProcedure: Sendable {
    struct Cycle: Sendable {
        var frames: Int
        var sampleTime: Double
        var hostTime: UInt64
        var isPlain: Bool
    }

    private let state = Mutex((position: 0, cycles: [Cycle]()))
    private let end: Int

    init(frames: Int) { end = frames }

    var cycles: [Cycle] { state.withLock { $0.cycles } }

    func callAsFunction(_ cycle: CycleView) {
        let frames = cycle.outputFrames
        let flags: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
        let isPlain =
            cycle.isOutputSilent && cycle.inputBuffers == 0 && cycle.inputTime.mFlags.isEmpty
            && cycle.outputBuffers == 1 && cycle.outputTime.mFlags.isSuperset(of: flags)
            && cycle.now.mFlags.isSuperset(of: flags)
        let start = state.withLock { state in
            state.cycles.append(
                Cycle(
                    frames: frames, sampleTime: cycle.outputTime.mSampleTime,
                    hostTime: cycle.outputTime.mHostTime, isPlain: isPlain))
            defer { state.position = min(end, state.position + frames) }
            return state.position
        }
        let count = min(frames, end - start)
        if count > 0 {
            cycle.play(TestSignal.make(sampleRate: 48_000, frames: count, from: start).samples)
        }
    }
}
