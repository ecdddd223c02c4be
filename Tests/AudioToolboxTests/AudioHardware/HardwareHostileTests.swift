// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import AQSoundHarness
import Testing

@testable import AQToolboxFunctions

/// Arguments that no sensible program passes.
@Suite("Properties of devices with random arguments") struct HardwareHostileTests {
    private static let expected: Set<OSStatus> = [
        kAudioHardwareUnknownPropertyError, kAudioHardwareBadPropertySizeError,
        kAudioHardwareUnsupportedOperationError, kAudioHardwareBadObjectError,
        kAudioDeviceUnsupportedFormatError, kAudioHardwareIllegalOperationError, kAudio_ParamError,
    ]

    @Test("return documented results, and leave valid values", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) throws {
        let hardware = Hardware(
            source: TableHardware(
                sinks: [
                    .test("a", facts: DeviceFacts(channelVolumes: [0.5, 0.5])), .test("b", channels: 32),
                ],
                sources: [.test("m", channels: 1, facts: DeviceFacts(channelVolumes: [1], isMuted: true))]))
        let objects: [HardwareObject] = [
            .system, .device(uid: "a"), .device(uid: "b"), .device(uid: "m"), .device(uid: "gone"),
            .stream(uid: "a", .output), .stream(uid: "a", .input), .stream(uid: "gone", .input),
        ]
        let selectors =
            DeviceProperties.all.map(\.selector) + StreamProperties.all.map(\.selector)
            + SystemProperties.all.map(\.selector) + [kAudioObjectPropertySelectorWildcard, 0]
        let scopes = [
            kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput,
            kAudioObjectPropertyScopePlayThrough, kAudioObjectPropertyScopeWildcard, 0,
        ]
        let sizes: [UInt32] = [0, 1, 4, 8, 16, 40, 64]
        var numbers = SplitMix(seed)
        for _ in 0..<2500 {
            var address = AudioObjectPropertyAddress()
            address.mSelector = try #require(selectors.randomElement(using: &numbers))
            address.mScope = try #require(scopes.randomElement(using: &numbers))
            address.mElement = try #require([0, 1, 2, 3, 32, 33, .max].randomElement(using: &numbers))
            let object = try #require(objects.randomElement(using: &numbers))
            let size = try #require(sizes.randomElement(using: &numbers))
            let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            do {
                try unsafe bytes.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress else { return }
                    try hardware.set(address, of: object, to: unsafe HardwareData(start, size))
                }
            } catch let error as StatusError {
                #expect(HardwareHostileTests.expected.contains(error.status), "\(error)")
            }
            _ = hardware.hasProperty(address, of: object)
        }
        let main = try hardware.snapshot().device("a")
        #expect(try #require(main?.output?.channelVolumes).allSatisfy { 0...1 ~= $0 })
        #expect(64...4096 ~= (main?.bufferFrames ?? 0))
    }
}
