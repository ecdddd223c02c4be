// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import CAQAudioToolbox
import CoreFoundation
import AQTestSupport

@testable import AQToolboxFunctions

/// The devices of a test's session, in a table.
final class SessionHardwareTable: SessionHardware {
    private struct State {
        /// Nil while no server answers.
        var devices: SessionDevices?
        var changed: (@Sendable () -> Void)?
    }

    private final class Watch: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private let state: Monitor<State>

    init(_ devices: SessionDevices?) { state = Monitor(State(devices: devices)) }

    func devices() throws(DeviceError) -> SessionDevices {
        guard let devices = state.withLock({ $0.devices }) else {
            throw DeviceError(.noServer, "no server in the table")
        }
        return devices
    }

    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        state.withLock { $0.changed = changed }
        return Watch { [weak self] in self?.state.withLock { $0.changed = nil } }
    }

    func set(_ devices: SessionDevices?) {
        let changed = state.withLock { state in
            state.devices = devices
            return state.changed
        }
        changed?()
    }
}

/// The C functions over a client of their own, with the calls of its listeners. One at a time.
@safe final class SessionRig {
    /// A call of a listener: its property, or 0 for an interruption; and its value.
    struct Call: Sendable, Equatable {
        var property: AudioSessionPropertyID
        var number: UInt32 = 0
        var real: Float32 = 0
        /// The names of the routes of a change.
        var oldRoute = ""
        var newRoute = ""
        /// The type of the interruption that the listener read.
        var interruptionType: UInt32?
    }

    /// A speaker and a microphone.
    static let usual = SessionDevices(
        sinks: [device("speaker", .speaker, volume: 0.5)],
        sources: [device("microphone", .microphone, channels: 1)])
    /// The same sink and source with a headset in their jack.
    static let headset = SessionDevices(
        sinks: [device("speaker", .headphones, volume: 0.5)],
        sources: [device("microphone", .headset, channels: 1)])

    static func device(
        _ name: String, _ port: DeviceFacts.Port, channels: Int = 2, volume: Double? = nil
    ) -> DeviceInfo {
        DeviceInfo(
            name: name, description: "The \(name)", sampleRate: 48_000, channels: channels, isDefault: true,
            facts: DeviceFacts(connection: .pci, latencyFrames: 480, port: port, volume: volume))
    }

    let table: SessionHardwareTable
    private let calls = Monitor<[Call]>([])

    /// Makes a client that is not initialized.
    init(_ devices: SessionDevices? = SessionRig.usual) {
        table = SessionHardwareTable(devices)
        SessionClient.replace(by: SessionClient(session: AudioSession(hardware: table)))
    }

    deinit {
        // No listener may be called without this object.
        SessionClient.shared.end()
        SessionClient.replace(by: SessionClient(session: AudioSession(hardware: SessionHardwareTable(nil))))
    }

    var all: [Call] { calls.withLock { $0 } }
    func add(_ call: Call) { calls.withLock { $0.append(call) } }

    /// The client data of listeners.
    var clientData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Initializes the functions for this thread's run loop.
    func initialize() -> OSStatus {
        unsafe audioSessionInitialize(CFRunLoopGetCurrent(), nil, recordInterruption, clientData)
    }

    func listen(to property: AudioSessionPropertyID) -> OSStatus {
        unsafe audioSessionAddPropertyListener(property, recordSessionChange, clientData)
    }

    /// Runs the loop until there are so many calls.
    func run(untilCalls count: Int) -> Bool {
        eventually {
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.005, true)
            return all.count >= count
        }
    }

    /// The value of a property; nil for another result than success.
    func get<Value: BitwiseCopyable>(_ property: AudioSessionPropertyID, as zero: Value) -> Value? {
        var value = zero
        var size = UInt32(MemoryLayout<Value>.size)
        let status = unsafe audioSessionGetProperty(property, &size, &value)
        return status == noErr && size == MemoryLayout<Value>.size ? value : nil
    }

    /// The result of reading a property of four bytes.
    func statusOfGetting(_ property: AudioSessionPropertyID) -> OSStatus {
        var word: UInt64 = 0
        var size: UInt32 = 8
        return unsafe audioSessionGetProperty(property, &size, &word)
    }

    func set<Value: BitwiseCopyable>(_ property: AudioSessionPropertyID, _ value: Value) -> OSStatus {
        unsafe withUnsafeBytes(of: value) { bytes in
            unsafe audioSessionSetProperty(property, UInt32(bytes.count), bytes.baseAddress)
        }
    }

    /// The older name of the route.
    var routeName: String? {
        guard let bits = get(kAudioSessionProperty_AudioRoute, as: 0 as UInt), bits != 0 else { return nil }
        let reference = unsafe UnsafeRawPointer(bitPattern: bits)
        return unsafe reference.map {
            AudioFileObject.text(unsafe Unmanaged<CFString>.fromOpaque($0).takeRetainedValue())
        }
    }
}

/// The string in a dictionary, or nil.
func string(_ key: CFString, in dictionary: CFDictionary) -> String? {
    let value = unsafe CFDictionaryGetValue(dictionary, Unmanaged.passUnretained(key).toOpaque())
    return unsafe value.map {
        AudioFileObject.text(unsafe Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue())
    }
}

/// Records an interruption.
func recordInterruption(_ clientData: UnsafeMutableRawPointer?, _ state: UInt32) {
    guard let clientData = unsafe clientData else { return }
    let rig = unsafe Unmanaged<SessionRig>.fromOpaque(clientData).takeUnretainedValue()
    let type = rig.get(kAudioSessionProperty_InterruptionType, as: 0 as UInt32)
    rig.add(SessionRig.Call(property: 0, number: state, interruptionType: type))
}

/// Records a change of a property.
func recordSessionChange(
    _ clientData: UnsafeMutableRawPointer?, _ property: AudioSessionPropertyID, _ bytes: UInt32,
    _ data: UnsafeRawPointer?
) {
    guard let clientData = unsafe clientData, let data = unsafe data else { return }
    let rig = unsafe Unmanaged<SessionRig>.fromOpaque(clientData).takeUnretainedValue()
    var call = SessionRig.Call(property: property)
    if property == kAudioSessionProperty_AudioRouteChange {
        let change = unsafe Unmanaged<CFDictionary>.fromOpaque(data).takeUnretainedValue()
        var reason: Int32 = -1
        let number = unsafe CFDictionaryGetValue(
            change, Unmanaged.passUnretained(kAudioSession_RouteChangeKey_Reason).toOpaque())
        if let number = unsafe number {
            let object = unsafe Unmanaged<CFNumber>.fromOpaque(number).takeUnretainedValue()
            unsafe _ = CFNumberGetValue(object, .sInt32Type, &reason)
        }
        call.number = UInt32(clamping: reason)
        call.oldRoute =
            AudioFileObject.string("OutputDeviceDidChange_OldRoute").flatMap { string($0, in: change) } ?? ""
        call.newRoute =
            AudioFileObject.string("OutputDeviceDidChange_NewRoute").flatMap { string($0, in: change) } ?? ""
    } else if property == kAudioSessionProperty_CurrentHardwareOutputVolume {
        call.real = unsafe data.loadUnaligned(as: Float32.self)
    } else {
        call.number = unsafe data.loadUnaligned(as: UInt32.self)
    }
    rig.add(call)
}
