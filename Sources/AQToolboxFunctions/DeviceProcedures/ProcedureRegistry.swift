// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

/// The procedures of all devices.
///
/// No lock is held while a procedure starts or stops, or its code runs. May be used from any thread.
final class ProcedureRegistry: Sendable {
    /// The instance that the C functions use.
    static let shared = ProcedureRegistry(Hardware.shared) { QueueDevices.current }

    /// A registration of a procedure.
    private struct Entry {
        var id: UInt
        var uid: String
        /// The address of the client's procedure; 0 for a block.
        var address: UInt
        var procedure: DeviceProcedure
    }

    private struct State {
        /// The registrations, oldest first.
        var entries: [Entry] = []
        /// The uses of devices without a procedure, by the device's name.
        var uses: [String: DeviceProcedure] = [:]
        var timelines: [String: DeviceTimeline] = [:]
    }

    let hardware: Hardware
    private let makers: @Sendable () -> QueueDevices
    private let handles = HandleTable<DeviceProcedure>()
    private let state = Monitor(State())

    init(_ hardware: Hardware, _ makers: @escaping @Sendable () -> QueueDevices) {
        self.hardware = hardware
        self.makers = makers
    }

    /// The name of a device.
    ///
    /// - Throws: `kAudioHardwareBadObjectError` for a number without an object, `kAudioHardwareBadDeviceError` for an
    ///   object that is not a device.
    func uid(of device: AudioObjectID) throws(StatusError) -> String {
        guard case .device(let uid) = try hardware.object(numbered: device) else {
            throw StatusError(kAudioHardwareBadDeviceError)
        }
        return uid
    }

    // MARK: Registrations

    /// Adds a procedure.
    ///
    /// - Parameter address: The address of the client's procedure; 0 for a block.
    /// - Returns: The ID: a number that is not an address, and is not used twice.
    func add(_ procedure: DeviceProcedure, address: UInt = 0) throws(StatusError) -> UInt {
        let id = UInt(bitPattern: unsafe handles.insert(procedure))
        guard id != 0 else { throw StatusError(kAudio_MemFullError) }
        state.withLock {
            $0.entries.append(Entry(id: id, uid: procedure.uid, address: address, procedure: procedure))
        }
        return id
    }

    /// Stops and removes a procedure.
    ///
    /// - Throws: As ``procedure(_:of:)``.
    func remove(_ id: UInt, of uid: String) throws(StatusError) {
        let procedure = try procedure(id, of: uid)
        let entry = state.withLock { state -> Entry? in
            let index = state.entries.firstIndex { $0.procedure === procedure }
            return index.map { state.entries.remove(at: $0) }
        }
        if let entry { unsafe handles.remove(OpaquePointer(bitPattern: entry.id)) }
        procedure.remove()
    }

    /// The procedure of an ID.
    ///
    /// COMPAT: programs pass the procedure instead of its ID, which is its oldest registration.
    ///
    /// - Throws: `kAudioHardwareIllegalOperationError` if the device has no such procedure.
    func procedure(_ id: UInt, of uid: String) throws(StatusError) -> DeviceProcedure {
        if let found = unsafe handles[OpaquePointer(bitPattern: id)], found.uid == uid { return found }
        let entry = state.withLock { $0.entries.first { $0.address == id && $0.uid == uid } }
        guard id != 0, let entry else { throw StatusError(kAudioHardwareIllegalOperationError) }
        return entry.procedure
    }

    // MARK: Running

    /// Starts a procedure, or for 0 the device without one.
    func start(_ id: UInt, of uid: String, at hostTime: UInt64 = 0) throws(StatusError) {
        let procedure = id == 0 ? use(of: uid) : try procedure(id, of: uid)
        try procedure.start(hardware, makers(), timeline(of: uid), at: hostTime)
    }

    /// Stops a procedure, or for 0 the use of the device without one.
    func stop(_ id: UInt, of uid: String) throws(StatusError) {
        guard id == 0 else { return try procedure(id, of: uid).stop() }
        state.withLock { $0.uses[uid] }?.stop()
    }

    private func use(of uid: String) -> DeviceProcedure {
        state.withLock { state in
            if let known = state.uses[uid] { return known }
            let made = DeviceProcedure(of: uid, nil)
            state.uses[uid] = made
            return made
        }
    }

    private func timeline(of uid: String) -> DeviceTimeline {
        state.withLock { state in
            if let known = state.timelines[uid] { return known }
            let made = DeviceTimeline()
            state.timelines[uid] = made
            return made
        }
    }

    /// The sample times of a device; nil while no procedure runs.
    func line(of uid: String) -> DeviceTimeline.Line? { timeline(of: uid).line }
}
