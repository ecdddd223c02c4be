// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CAQCoreAudio
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// The devices of a unit with voice processing, on a private server.
@Suite("The devices of VoiceProcessingIO", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct VoiceDeviceSoundTests {
    // The list of devices is that of the process's default server.
    @Test("are the loudspeaker on element 0 and the microphone on element 1, which the canceller uses")
    func devices() async {
        await #expect(processExitsWith: .success) {
            let rig = try VoiceDeviceRig()
            let (loud, quiet) = (rig.number("loud"), rig.number("quiet"))
            let (room, desk) = (rig.number("room.monitor"), rig.number("desk.monitor"))
            expectEqual(rig.set(loud, element: 0), noErr)
            expectEqual(rig.set(room, element: 1), noErr)
            expectEqual(rig.get(element: 0), loud)
            expectEqual(rig.get(element: 1), room)
            try expectEqual(rig.modules(), [])

            unsafe expectEqual(audioUnitInitialize(rig.unit), noErr)
            try expectEqual(rig.modules(), ["loud room.monitor"])
            // While the unit is initialized, and while it runs.
            expectEqual(rig.set(quiet, element: 0), noErr)
            #expect(rig.waitForModules(["quiet room.monitor"]))
            unsafe expectEqual(audioOutputUnitStart(rig.unit), noErr)
            expectEqual(rig.set(desk, element: 1), noErr)
            #expect(rig.waitForModules(["quiet desk.monitor"]))
            expectEqual(rig.get(element: 0), quiet)
            expectEqual(rig.get(element: 1), desk)

            unsafe expectEqual(audioComponentInstanceDispose(rig.unit), noErr)
            #expect(rig.waitForModules([]))
        }
    }

    @Test("have the direction of their element, or are the microphone; they remain if another is refused")
    func refused() async {
        await #expect(processExitsWith: .success) {
            let rig = try VoiceDeviceRig()
            let (loud, room) = (rig.number("loud"), rig.number("room.monitor"))
            expectEqual(rig.set(loud, element: 0), noErr)
            expectEqual(rig.set(room, element: 1), noErr)
            // A microphone that an engine's program passes for the first element.
            expectEqual(rig.set(room, element: 0), noErr)
            expectEqual(rig.set(loud, element: 1), kAudioUnitErr_InvalidPropertyValue)
            expectEqual(rig.set(rig.number("missing"), element: 0), kAudioUnitErr_InvalidPropertyValue)
            expectEqual(rig.set(987_654, element: 1), kAudioUnitErr_InvalidPropertyValue)
            expectEqual(rig.set(loud, element: 2), kAudioUnitErr_InvalidElement)
            expectEqual(rig.get(element: 0), loud)
            expectEqual(rig.get(element: 1), room)
            unsafe expectEqual(audioUnitInitialize(rig.unit), noErr)
            try expectEqual(rig.modules(), ["loud room.monitor"])
            unsafe expectEqual(audioComponentInstanceDispose(rig.unit), noErr)
        }
    }
}

/// A unit with voice processing on a server that is the process's default, with four sinks.
@safe private final class VoiceDeviceRig {
    // SAFETY: the handle is a key, which nothing reads through.
    let unit: AudioUnit
    private let server: PulseServer

    init() throws {
        server = try PulseServer()
        for name in ["loud", "quiet", "room", "desk"] {
            var options = PulseServer.Options()
            options.sinkName = name
            _ = try server.addSink(options)
        }
        unsafe _ = setenv("PULSE_SERVER", "unix:\(server.socketPath)", 1)
        var wanted = AudioComponentDescription()
        wanted.componentType = kAudioUnitType_Output
        wanted.componentSubType = kAudioUnitSubType_VoiceProcessingIO
        let component = try unsafe #require(audioComponentFindNext(nil, &wanted))
        var made: AudioComponentInstance?
        try unsafe #require(audioComponentInstanceNew(component, &made) == noErr)
        unsafe unit = try unsafe #require(made)
    }

    func number(_ name: String) -> AudioObjectID { Hardware.shared.objects.number(of: .device(uid: name)) }

    func set(_ device: AudioObjectID, element: AudioUnitElement) -> OSStatus {
        var device = device
        return unsafe audioUnitSetProperty(
            unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device, 4)
    }

    func get(element: AudioUnitElement) -> AudioObjectID? {
        var (device, size) = (AudioObjectID(0), UInt32(4))
        let status = unsafe audioUnitGetProperty(
            unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device, &size)
        return status == noErr && size == 4 ? device : nil
    }

    /// The masters of the loaded cancellers, the loudspeaker first.
    func modules() throws -> [String] {
        try server.control("list", "short", "modules").split(separator: "\n").compactMap { line in
            guard line.contains("module-echo-cancel") else { return nil }
            return ["sink_master=", "source_master="].map { key in
                guard let found = line.firstRange(of: key) else { return "?" }
                return String(line[found.upperBound...].prefix { $0 != " " })
            }.joined(separator: " ")
        }
    }

    func waitForModules(_ expected: [String]) -> Bool {
        HostClock.poll(upToSeconds: 5) { (try? modules()) == expected }
    }
}
