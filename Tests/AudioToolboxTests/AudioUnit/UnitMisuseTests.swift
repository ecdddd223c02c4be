// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Foundation
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Callbacks that do what they should not, on a device without hardware.
@Suite("Callbacks of units", .timeLimit(.minutes(20))) struct UnitMisuseTests {
    private let device = LoopDevice()

    private func makeUnit(_ client: MisusingClient, hasInput: Bool = false) throws -> AudioUnit {
        var wanted = AudioComponentDescription()
        wanted.componentSubType = kAudioUnitSubType_HALOutput
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var made: AudioComponentInstance?
        expectEqual(
            TestDevices.with(output: device, input: device) {
                unsafe audioComponentInstanceNew(component, &made)
            }, noErr)
        let unit = try unsafe #require(made)
        client.unit.now = Int(bitPattern: unit)
        if hasInput {
            unsafe enable(unit, kAudioUnitScope_Input, 1, 1)
            unsafe enable(unit, kAudioUnitScope_Output, 0, 0)
        }
        unsafe client.install(
            on: unit,
            as: hasInput ? kAudioOutputUnitProperty_SetInputCallback : kAudioUnitProperty_SetRenderCallback)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        return unsafe unit
    }

    private func enable(_ unit: AudioUnit, _ scope: UInt32, _ element: UInt32, _ value: UInt32) {
        var value = value
        unsafe expectEqual(
            audioUnitSetProperty(
                unit, kAudioOutputUnitProperty_EnableIO, scope, element, &value, 4), noErr)
    }

    @Test("may dispose of their unit, which makes no other call") func disposal() throws {
        let client = MisusingClient { client, _ in
            unsafe client.status.now = Int(audioComponentInstanceDispose(client.handle))
        }
        let unit = try unsafe makeUnit(client)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(eventually { client.calls.now > 0 && device.openStreams == 0 })
        #expect(eventually { client.status.now == noErr })
        expectEqual(client.calls.now, 1)
        unsafe expectEqual(audioOutputUnitStop(unit), kAudio_ParamError)
    }

    @Test("may be replaced while they run") func replacement() throws {
        let other = MisusingClient { _, _ in }
        let first = MisusingClient { client, _ in
            unsafe other.install(on: client.handle, as: kAudioUnitProperty_SetRenderCallback)
        }
        let unit = try unsafe makeUnit(first)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(eventually { other.calls.now > 5 })
        expectEqual(first.calls.now, 1)
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }

    @Test("that block delay a stop until they end, and no call of others") func blocking() throws {
        let mayEnd = Tally()
        let client = MisusingClient { client, _ in
            if client.calls.now == 1 { while mayEnd.now == 0 { usleep(1000) } }
        }
        let unit = try unsafe makeUnit(client)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(eventually { client.calls.now == 1 })
        let hasStopped = Tally()
        Thread.detachNewThread {
            unsafe _ = audioOutputUnitStop(client.handle)
            hasStopped.now = 1
        }
        #expect(remains(forSeconds: 0.1) { hasStopped.now == 0 })
        var isRunning: UInt32 = 7
        var size: UInt32 = 4
        unsafe expectEqual(
            audioUnitGetProperty(
                unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &isRunning, &size), noErr
        )
        mayEnd.now = 1
        #expect(eventually { hasStopped.now == 1 })
        let calls = client.calls.now
        #expect(remains(forSeconds: 0.05) { client.calls.now == calls })
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }

    @Test("of two units may stop each other at the same time") func crossedStops() throws {
        let (areRunning, inside) = (Tally(), Tally())
        let clients = [Tally(), Tally()].map { other in
            MisusingClient { client, _ in
                guard areRunning.now == 1, client.other.now == 0 else { return }
                inside.add()
                // Both are in their callbacks.
                _ = eventually { inside.now >= 2 }
                unsafe client.status.now = Int(audioOutputUnitStop(AudioUnit(bitPattern: other.now)))
                client.other.now = 1
            } otherUnit: {
                other.now = $0
            }
        }
        for client in clients { _ = try unsafe makeUnit(client) }
        clients[0].setOther(clients[1].unit.now)
        clients[1].setOther(clients[0].unit.now)
        for client in clients { unsafe expectEqual(audioOutputUnitStart(client.handle), noErr) }
        areRunning.now = 1
        #expect(eventually { clients.allSatisfy { $0.other.now == 1 } })
        #expect(clients.allSatisfy { $0.status.now == noErr })
        for client in clients { unsafe expectEqual(audioComponentInstanceDispose(client.handle), noErr) }
    }

    @Test("get captured slices of one length, from the first after a restart on") func slices() throws {
        let lengths = Monitor<Set<Int>>([])
        let client = MisusingClient { _, frames in lengths.withLock { _ = $0.insert(frames) } }
        let unit = try unsafe makeUnit(client, hasInput: true)
        for round in 1...30 {
            unsafe expectEqual(audioOutputUnitStart(unit), noErr)
            #expect(eventually { client.calls.now >= 2 * round })
            unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        }
        // 512 frames of the device at 44,100 Hz.
        expectEqual(lengths.withLock { $0 }, [470])
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }
}

/// A client whose callback runs code of a test.
private final class MisusingClient: Sendable {
    let unit = Tally()
    let calls = Tally()
    let status = Tally(1)
    let other = Tally()
    private let body: @Sendable (MisusingClient, Int) -> Void
    private let takeOther: @Sendable (Int) -> Void

    init(
        _ body: @escaping @Sendable (MisusingClient, Int) -> Void,
        otherUnit takeOther: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.body = body
        self.takeOther = takeOther
    }

    var handle: AudioUnit? { unsafe AudioUnit(bitPattern: unit.now) }

    func setOther(_ unit: Int) { takeOther(unit) }

    func install(on unit: AudioUnit?, as property: AudioUnitPropertyID) {
        var callback = unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, frames, _ in
                let client = unsafe Unmanaged<MisusingClient>.fromOpaque(context).takeUnretainedValue()
                client.calls.add()
                client.body(client, Int(frames))
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        unsafe expectEqual(
            audioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &callback, 16), noErr)
    }
}
