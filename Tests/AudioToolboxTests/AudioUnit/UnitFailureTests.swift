// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Streams that end with an error, and devices that come and go, on a device without hardware.
@Suite("Units whose streams fail", .timeLimit(.minutes(20))) struct UnitFailureTests {
    private let device = LoopDevice()
    private let client = FailureClient()

    /// Makes an initialized unit of both directions.
    private func makeUnit() throws -> AudioUnit {
        var wanted = AudioComponentDescription()
        wanted.componentSubType = kAudioUnitSubType_HALOutput
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var made: AudioComponentInstance?
        expectEqual(
            TestDevices.with(output: device, input: device) {
                unsafe audioComponentInstanceNew(component, &made)
            }, noErr)
        let unit = try unsafe #require(made)
        var isOn: UInt32 = 1
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn, 4), noErr)
        let context = unsafe Unmanaged.passUnretained(client).toOpaque()
        var callback = unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, _, _ in
                unsafe FailureClient.of(context).calls.add()
                return noErr
            }, inputProcRefCon: context)
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, 16), noErr)
        for id in [kAudioOutputUnitProperty_IsRunning, kAudioOutputUnitProperty_CurrentDevice] {
            unsafe expectEqual(
                audioUnitAddPropertyListener(
                    unit, id, { context, _, id, _, _ in unsafe FailureClient.of(context).hear(id) }, context),
                noErr)
        }
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        return unsafe unit
    }

    private func isRunning(_ unit: AudioUnit) -> Bool {
        var (value, size) = (UInt32(9), UInt32(4))
        let status = unsafe audioUnitGetProperty(
            unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &value, &size)
        expectEqual(status, noErr)
        return value == 1
    }

    @Test(
        "stop and inform their listeners; the next start is as fast as the first",
        arguments: [(true, true), (true, false), (false, true)])
    func failure(ofOutput: Bool, ofInput: Bool) throws {
        let unit = try unsafe makeUnit()
        for round in 1...5 {
            let began = aq_host_time()
            unsafe expectEqual(audioOutputUnitStart(unit), noErr)
            #expect(HostClock.seconds(from: began, to: aq_host_time()) < 1)
            #expect(unsafe isRunning(unit))
            let calls = client.calls.now
            #expect(eventually { client.calls.now > calls + 5 })
            device.fail(outputs: ofOutput, inputs: ofInput)
            #expect(eventually { unsafe !isRunning(unit) })
            // A start and an end, reported once.
            #expect(eventually { client.heard(kAudioOutputUnitProperty_IsRunning) == 2 * round })
            let last = client.calls.now
            #expect(remains(forSeconds: 0.02) { client.calls.now == last })
        }
        expectEqual(client.heard(kAudioOutputUnitProperty_IsRunning), 10)
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
        #expect(eventually { device.openStreams == 0 })
    }

    @Test("can be started again by the listener that hears of it") func startInListener() throws {
        let unit = try unsafe makeUnit()
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        unsafe client.restart(unit)
        for _ in 0..<5 {
            device.fail(inputs: false)
            let calls = client.calls.now
            #expect(eventually { client.calls.now > calls + 20 })
            #expect(unsafe isRunning(unit))
        }
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }

    @Test("inform listeners of a device that goes, and of its return, and run on") func interruption() throws
    {
        let unit = try unsafe makeUnit()
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        let heard = client.heard(kAudioOutputUnitProperty_CurrentDevice)
        device.interrupt()
        #expect(eventually { client.heard(kAudioOutputUnitProperty_CurrentDevice) >= heard + 2 })
        #expect(unsafe isRunning(unit))
        device.resume()
        #expect(eventually { client.heard(kAudioOutputUnitProperty_CurrentDevice) >= heard + 4 })
        let calls = client.calls.now
        #expect(eventually { client.calls.now > calls + 5 })
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }
}

/// A client that counts its callbacks, and what its listener hears.
private final class FailureClient: Sendable {
    let calls = Tally()
    private let changes = Mutex<[AudioUnitPropertyID: Int]>([:])
    private let restarted = Tally()

    static func of(_ context: UnsafeMutableRawPointer) -> FailureClient {
        unsafe Unmanaged<FailureClient>.fromOpaque(context).takeUnretainedValue()
    }

    /// Makes the listener start a unit that has ended.
    func restart(_ unit: AudioUnit) { restarted.now = Int(bitPattern: unit) }

    func heard(_ id: AudioUnitPropertyID) -> Int { changes.withLock { $0[id, default: 0] } }

    func hear(_ id: AudioUnitPropertyID) {
        changes.withLock { $0[id, default: 0] += 1 }
        guard id == kAudioOutputUnitProperty_IsRunning, let unit = unsafe AudioUnit(bitPattern: restarted.now)
        else { return }
        var (isRunning, size) = (UInt32(1), UInt32(4))
        _ = unsafe audioUnitGetProperty(
            unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &isRunning, &size)
        if isRunning == 0 { unsafe _ = audioOutputUnitStart(unit) }
    }
}
