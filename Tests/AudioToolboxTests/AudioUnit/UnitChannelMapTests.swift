// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The property of channel maps, on a device without hardware that has two channels.
@Suite("Channel maps of units", .timeLimit(.minutes(20))) @safe final class UnitChannelMapTests {
    // SAFETY: the handle is a key, which nothing reads through.
    private let device = LoopDevice()
    private let unit: AudioUnit

    init() throws {
        unsafe unit = try device.makeUnit()
    }

    deinit { unsafe _ = audioComponentInstanceDispose(unit) }

    private func set(
        _ map: [Int32], _ scope: AudioUnitScope = kAudioUnitScope_Output, _ element: AudioUnitElement = 0,
        bytes: Int? = nil
    ) -> OSStatus {
        unsafe audioUnitSetProperty(
            unit, kAudioOutputUnitProperty_ChannelMap, scope, element, map,
            UInt32(bytes ?? map.count * 4))
    }

    private func map(
        _ scope: AudioUnitScope = kAudioUnitScope_Output, _ element: AudioUnitElement = 0
    ) -> [Int32] {
        var size: UInt32 = 0
        var isWritable = false
        let id = kAudioOutputUnitProperty_ChannelMap
        var status = unsafe audioUnitGetPropertyInfo(unit, id, scope, element, &size, &isWritable)
        #expect(status == noErr && isWritable)
        var map = [Int32](repeating: 99, count: Int(size) / 4)
        status = unsafe audioUnitGetProperty(unit, id, scope, element, &map, &size)
        #expect(status == noErr && Int(size) == map.count * 4)
        return map
    }

    private func setFormat(_ channels: Int, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
        var format = AudioStreamBasicDescription.float(channels: channels, sampleRate: 48_000)
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioUnitProperty_StreamFormat, scope, element, &format, 40), noErr)
    }

    @Test("are returned as they were set, for each direction, until they are removed") func values() {
        expectEqual(set([1, -1, 0]), noErr)
        expectEqual(set([31, -1, 0, 0], kAudioUnitScope_Input, 1), noErr)
        expectEqual(map(), [1, -1, 0])
        expectEqual(map(kAudioUnitScope_Input, 0), [1, -1, 0])
        expectEqual(map(kAudioUnitScope_Output, 1), [31, -1, 0, 0])
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, nil, 0), noErr)
        expectEqual(map(), [0, 1])
        expectEqual(map(kAudioUnitScope_Input, 1), [31, -1, 0, 0])
    }

    @Test("have the channels in order before they are set") func usual() {
        expectEqual(map(), [0, 1])
        setFormat(1, kAudioUnitScope_Input, 0)
        setFormat(3, kAudioUnitScope_Output, 1)
        expectEqual(map(), [0, -1])
        expectEqual(map(kAudioUnitScope_Input, 1), [0, 1, -1])
    }

    @Test("are refused if no device can have them") func refusals() {
        expectEqual(set([0, -2]), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set([32]), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set([.max, .min]), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set([Int32](repeating: 0, count: 33)), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set([0, 1], bytes: 7), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set([0], kAudioUnitScope_Output, 2), kAudioUnitErr_InvalidElement)
        expectEqual(set([0], kAudioUnitScope_Group, 0), kAudioUnitErr_InvalidScope)
        expectEqual(map(), [0, 1])
    }

    // As mpv sets, which ends if it is refused.
    @Test("take no notice of another value in the global scope") func global() {
        expectEqual(set([-9, 77, 0x10_0000], kAudioUnitScope_Global, 0, bytes: 11), noErr)
        expectEqual(map(), [0, 1])
    }

    @Test("can be set after AudioUnitInitialize, and while the unit runs") func running() throws {
        let client = CountingClient()
        unsafe client.install(on: unit)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        expectEqual(set([1, 1]), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        for map in [[1, 0], [-1, -1], [0, 1], [7], []] as [[Int32]] {
            let calls = client.calls.now
            expectEqual(set(map), noErr)
            #expect(eventually { client.calls.now > calls + 2 })
        }
        expectEqual(device.openStreams, 1)
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        let calls = client.calls.now
        #expect(remains(forSeconds: 0.05) { client.calls.now == calls })
        unsafe expectEqual(audioUnitUninitialize(unit), noErr)
    }
}

/// A client that counts the calls of its render callback.
private final class CountingClient: Sendable {
    let calls = Tally()

    func install(on unit: AudioUnit) {
        var callback = unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, _, _ in
                unsafe Unmanaged<CountingClient>.fromOpaque(context).takeUnretainedValue().calls.add()
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, 16), noErr)
    }
}
