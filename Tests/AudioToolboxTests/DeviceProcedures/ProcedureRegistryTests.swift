// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Registrations of procedures, and the results for devices that do not run.
@Suite("Registrations of procedures") struct ProcedureRegistryTests {
    private let table = TableHardware(sinks: [.test("a"), .test("b")])
    private let registry: ProcedureRegistry

    init() { registry = ProcedureRegistry(Hardware(source: table)) { QueueDevices.server } }

    private func procedure(of uid: String) -> DeviceProcedure { DeviceProcedure(of: uid, nil) }

    @Test("have numbers of their own, and the oldest has the procedure's address") func ids() throws {
        let (first, second) = (procedure(of: "a"), procedure(of: "a"))
        let ids = [try registry.add(first, address: 0x1000), try registry.add(second, address: 0x1000)]
        expectEqual(Set(ids).count, 2)
        #expect(try registry.procedure(ids[0], of: "a") === first)
        #expect(try registry.procedure(ids[1], of: "a") === second)
        #expect(try registry.procedure(0x1000, of: "a") === first)
        try registry.remove(0x1000, of: "a")
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try registry.procedure(ids[0], of: "a")
        }
        #expect(try registry.procedure(0x1000, of: "a") === second)
        try registry.remove(ids[1], of: "a")
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try registry.remove(0x1000, of: "a")
        }
    }

    @Test("belong to one device, and blocks have no address") func devices() throws {
        let id = try registry.add(procedure(of: "a"))
        _ = try registry.add(procedure(of: "b"), address: 0x1000)
        for unknown in [0, 1, 0x1000, id &+ 2, UInt.max] {
            #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
                try registry.procedure(unknown, of: "a")
            }
        }
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try registry.procedure(id, of: "b")
        }
    }

    @Test("of a device that has disappeared, or without a server, do not start, and stop without an error")
    func start() throws {
        let id = try registry.add(procedure(of: "c"))
        #expect(throws: StatusError(kAudioHardwareBadDeviceError)) { try registry.start(id, of: "c") }
        #expect(throws: StatusError(kAudioHardwareBadDeviceError)) { try registry.start(0, of: "c") }
        table.fail(DeviceError(.noServer, "no server"))
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) { try registry.start(id, of: "c") }
        try registry.stop(id, of: "c")
        try registry.stop(0, of: "c")
        try registry.stop(0, of: "a")
        expectEqual(registry.line(of: "c"), nil)
    }

    @Test("that do not run have no times, except that a start at a host time is possible") func times() throws
    {
        let stopped = StatusError(kAudioHardwareNotRunningError)
        var time = AudioTimeStamp()
        #expect(throws: stopped) { try registry.currentTime(of: "a") }
        #expect(throws: stopped) { try registry.translate(time, wanted: [], of: "a") }
        #expect(throws: StatusError(kAudio_ParamError)) { try registry.nearestStart(to: time, of: "a") }
        time.mFlags = .sampleTimeValid
        #expect(throws: stopped) { try registry.nearestStart(to: time, of: "a") }
        time.mFlags = .hostTimeValid
        #expect(try registry.nearestStart(to: time, of: "a").mHostTime > 0)
        time.mHostTime = .max / 2
        try expectEqual(registry.nearestStart(to: time, of: "a").mHostTime, .max / 2)
    }
}
