// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

@Suite("Snapshots of the devices") struct HardwareSnapshotTests {
    @Test("outputs come first, then microphones, and monitors last") func order() {
        let snapshot = HardwareSnapshot(
            sinks: [.test("speakers"), .test("headphones")],
            sources: [.test("speakers.monitor", isMonitor: true), .test("microphone")])
        expectEqual(
            snapshot.devices.map(\.uid), ["speakers", "headphones", "microphone", "speakers.monitor"])
    }

    @Test("a sink and a source of one name are the two directions of one device") func bothDirections() {
        let snapshot = HardwareSnapshot(
            sinks: [.test("headset", rate: 48000)], sources: [.test("headset", rate: 16000, channels: 1)])
        expectEqual(snapshot.devices.count, 1)
        expectEqual(snapshot.device("headset")?.output?.sampleRate, 48000)
        expectEqual(snapshot.device("headset")?.input?.channels, 1)
    }

    @Test("the default device of a direction is the one that the server marks") func defaults() {
        let snapshot = HardwareSnapshot(
            sinks: [.test("a"), .test("b", isDefault: true)],
            sources: [.test("c", isDefault: true), .test("d")])
        expectEqual(snapshot.defaultDevice(.output)?.uid, "b")
        expectEqual(snapshot.defaultDevice(.input)?.uid, "c")
        expectEqual(HardwareSnapshot().defaultDevice(.output), nil)
    }

    // MARK: Changes

    private let before = HardwareSnapshot(
        sinks: [.test("a", isDefault: true), .test("b")], sources: [.test("m", isDefault: true)])

    @Test("a snapshot has no change to itself") func noChange() {
        #expect(before.changes(since: before).isEmpty)
    }

    @Test("another default output is a change of both default outputs") func anotherDefault() {
        let now = HardwareSnapshot(
            sinks: [.test("a"), .test("b", isDefault: true)], sources: [.test("m", isDefault: true)])
        expectEqual(
            now.changes(since: before),
            [
                HardwareChange(.system, kAudioHardwarePropertyDefaultOutputDevice),
                HardwareChange(.system, kAudioHardwarePropertyDefaultSystemOutputDevice),
            ])
    }

    @Test("a device that disappears changes the list and is not alive") func vanished() {
        let now = HardwareSnapshot(
            sinks: [.test("a", isDefault: true)], sources: [.test("m", isDefault: true)])
        expectEqual(
            now.changes(since: before),
            [
                HardwareChange(.system, kAudioHardwarePropertyDevices),
                HardwareChange(.device(uid: "b"), kAudioDevicePropertyDeviceIsAlive),
            ])
    }

    @Test("a device that appears changes the list and is alive") func came() {
        let now = HardwareSnapshot(
            sinks: [.test("a", isDefault: true), .test("b"), .test("c")],
            sources: [.test("m", isDefault: true)])
        expectEqual(
            now.changes(since: before),
            [
                HardwareChange(.system, kAudioHardwarePropertyDevices),
                HardwareChange(.device(uid: "c"), kAudioDevicePropertyDeviceIsAlive),
            ])
    }

    @Test("another order of the same devices is not a change") func anotherOrder() {
        let now = HardwareSnapshot(
            sinks: [.test("b"), .test("a", isDefault: true)], sources: [.test("m", isDefault: true)])
        #expect(now.changes(since: before).isEmpty)
    }

    @Test("another rate changes the rate and the list of rates") func anotherRate() {
        let now = HardwareSnapshot(
            sinks: [.test("a", isDefault: true), .test("b", rate: 96000)],
            sources: [.test("m", isDefault: true)])
        expectEqual(
            Set(now.changes(since: before).map(\.selector)),
            [
                kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyAvailableNominalSampleRates,
                kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat,
                kAudioDevicePropertyDeviceHasChanged,
            ])
    }

    @Test("other channels change the configuration and the formats of their direction, not the streams")
    func otherChannels() {
        let now = HardwareSnapshot(
            sinks: [.test("a", isDefault: true), .test("b", channels: 6)],
            sources: [.test("m", isDefault: true)])
        expectEqual(
            now.changes(since: before),
            [
                HardwareChange(
                    .device(uid: "b"), kAudioDevicePropertyStreamFormat, kAudioObjectPropertyScopeOutput),
                HardwareChange(.stream(uid: "b", .output), kAudioDevicePropertyStreamFormat),
                HardwareChange(.stream(uid: "b", .output), kAudioStreamPropertyPhysicalFormat),
                HardwareChange(
                    .device(uid: "b"), kAudioDevicePropertyStreamConfiguration,
                    kAudioObjectPropertyScopeOutput),
                HardwareChange(.device(uid: "b"), kAudioDevicePropertyDeviceHasChanged),
            ])
    }

    @Test("a second direction changes the configuration and the streams of that direction")
    func secondDirection() {
        let now = HardwareSnapshot(
            sinks: [.test("a", isDefault: true), .test("b")],
            sources: [.test("m", isDefault: true), .test("b")])
        let expected = [kAudioDevicePropertyStreamConfiguration, kAudioDevicePropertyStreams].map {
            HardwareChange(.device(uid: "b"), $0, kAudioObjectPropertyScopeInput)
        }
        let hasChanged = HardwareChange(.device(uid: "b"), kAudioDevicePropertyDeviceHasChanged)
        expectEqual(now.changes(since: before), expected + [hasChanged])
    }

    @Test("a volume changes the elements of its channels, in its direction, and not the device") func volume()
    {
        func snapshot(_ volumes: [Double], isMuted: Bool = false) -> HardwareSnapshot {
            let facts = DeviceFacts(channelVolumes: volumes, isMuted: isMuted)
            return HardwareSnapshot(sinks: [.test("a", facts: facts)], sources: [])
        }
        func change(_ selector: AudioObjectPropertySelector, _ element: UInt32 = 0) -> HardwareChange {
            HardwareChange(.device(uid: "a"), selector, kAudioObjectPropertyScopeOutput, element: element)
        }
        let before = snapshot([0.5, 0.5])
        expectEqual(
            snapshot([0.25, 0.5]).changes(since: before),
            [
                change(kAudioDevicePropertyVolumeScalar, 1), change(kAudioDevicePropertyVolumeDecibels, 1),
                change(kAudioHardwareServiceDeviceProperty_VirtualMainBalance),
            ])
        expectEqual(
            Set(snapshot([0.75, 0.75]).changes(since: before)),
            [
                change(kAudioDevicePropertyVolumeScalar), change(kAudioDevicePropertyVolumeDecibels),
                change(kAudioDevicePropertyVolumeScalar, 1), change(kAudioDevicePropertyVolumeDecibels, 1),
                change(kAudioDevicePropertyVolumeScalar, 2), change(kAudioDevicePropertyVolumeDecibels, 2),
                change(kAudioHardwareServiceDeviceProperty_VirtualMainVolume),
            ])
        expectEqual(
            snapshot([0.5, 0.5], isMuted: true).changes(since: before), [change(kAudioDevicePropertyMute)])
    }
}
