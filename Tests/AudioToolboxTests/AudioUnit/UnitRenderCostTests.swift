// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import CAQAudioToolbox
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The locks and allocations of a unit on the thread of a device without hardware, besides those of the client's code.
@Suite("The thread of an I/O unit", .timeLimit(.minutes(20))) @safe final class UnitRenderCostTests {
    // SAFETY: the handle is a key; the device's thread uses the list and the counts between start and stop.
    private let device = LoopDevice()
    private let unit: AudioUnit
    private let list = unsafe AudioBufferList.allocate(maximumBuffers: 1)
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4_096)
    private let fetches = Tally()
    private let failures = Tally()
    private let allocations = Tally()
    private let locks = Tally()

    init() throws {
        unsafe unit = try device.makeUnit()
    }

    deinit {
        unsafe _ = audioComponentInstanceDispose(unit)
        unsafe memory.deallocate()
        unsafe free(list.unsafeMutablePointer)
    }

    private func set<Value: BitwiseCopyable>(
        _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, _ value: Value
    ) -> OSStatus {
        var value = value
        return unsafe audioUnitSetProperty(
            unit, property, scope, element, &value, UInt32(MemoryLayout<Value>.size))
    }

    /// Sets the formats, the directions and the callback, which fetches the captured frames.
    private func prepare(hasOutput: Bool) throws {
        let format = AudioStreamBasicDescription.float(channels: 2, sampleRate: 48_000)
        try #require(set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format) == noErr)
        try #require(set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format) == noErr)
        let isEnabled = UInt32(hasOutput ? 1 : 0)
        try #require(
            set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, isEnabled) == noErr)
        try #require(set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)) == noErr)
        try #require(
            set(kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, UInt32(128)) == noErr)
        let callback = unsafe AURenderCallbackStruct(
            inputProc: { context, _, time, _, frames, _ in
                unsafe Unmanaged<UnitRenderCostTests>.fromOpaque(context).takeUnretainedValue()
                    .fetch(time, frames)
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        let property =
            hasOutput ? kAudioUnitProperty_SetRenderCallback : kAudioOutputUnitProperty_SetInputCallback
        try #require(unsafe set(property, kAudioUnitScope_Global, 0, callback) == noErr)
        try #require(unsafe audioUnitInitialize(unit) == noErr)
        try #require(unsafe audioOutputUnitStart(unit) == noErr)
    }

    private func fetch(_ time: UnsafePointer<AudioTimeStamp>?, _ frames: UInt32) {
        let before = (aq_meter_allocations(), aq_meter_locks())
        unsafe list[0] = unsafe AudioBuffer(
            mNumberChannels: 2, mDataByteSize: frames * 8, mData: memory)
        let status = unsafe audioUnitRender(unit, nil, time, 1, frames, list.unsafeMutablePointer)
        allocations.add(aq_meter_allocations() - before.0)
        locks.add(aq_meter_locks() - before.1)
        fetches.add(1)
        if status != noErr { failures.add(1) }
    }

    @Test(
        "neither locks nor allocates memory for a slice, also when the slice fetches captured frames",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func output() throws {
        try prepare(hasOutput: true)
        // The runtime prepares types at their first use.
        #expect(eventually { fetches.now >= 100 })
        let before = (device.slices.now, device.sliceAllocations.now, device.sliceLocks.now)
        #expect(eventually { fetches.now >= 600 })
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        #expect(device.slices.now - before.0 >= 490)
        #expect(device.sliceAllocations.now == before.1)
        #expect(device.sliceLocks.now == before.2)
        #expect(failures.now == 0)
    }

    @Test(
        "neither locks nor allocates memory for frames that the code of the input fetches",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func input() throws {
        try prepare(hasOutput: false)
        // The runtime prepares types at their first use.
        #expect(eventually { fetches.now >= 100 })
        let before = (allocations.now, locks.now)
        #expect(eventually { fetches.now >= 600 })
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        expectEqual(allocations.now, before.0)
        expectEqual(locks.now, before.1)
        expectEqual(failures.now, 0)
    }
}
