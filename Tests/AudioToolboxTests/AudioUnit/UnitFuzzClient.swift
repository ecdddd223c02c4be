// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport

@testable import AQToolboxFunctions

/// A unit of a random sequence, and what its client knows.
@safe final class UnitFuzzClient: @unchecked Sendable {
    // SAFETY: the handle is a key, which nothing reads through; the weak references are constant.

    private let unit: AudioUnit
    private let sequence: UnitFuzzSequence
    private weak var instance: UnitInstance?
    private weak var engine: IOUnit?
    /// Whether a call that ends the unit has returned, outside callbacks: no callback may come after it.
    private let hasEnded = Atomic<Bool>(false)
    /// Memory of the client for slices.
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 64)

    init(_ unit: AudioUnit, of sequence: UnitFuzzSequence) {
        unsafe self.unit = unit
        self.sequence = sequence
        instance = unsafe UnitInstance.table[unit]
        engine = (instance?.unit as? IOUnitObject)?.engine
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 20)
    }

    deinit { unsafe memory.deallocate() }

    /// Whether no part of the ended unit is left.
    var isGone: Bool { instance == nil && engine == nil }

    private var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    // MARK: Before the calls

    /// Sets what most clients set.
    func prepare(_ random: inout SplitMix) {
        if random.chance(2) { enable(kAudioUnitScope_Input, 1, 1) }
        if random.chance(4) { enable(kAudioUnitScope_Output, 0, 0) }
        setCallback(kAudioUnitProperty_SetRenderCallback, &random)
        setCallback(kAudioOutputUnitProperty_SetInputCallback, &random)
        if random.chance(2) { setFormat(&random) }
        if random.chance(2) { attempt("initialize") { unsafe audioUnitInitialize(unit) } }
        if random.chance(2) { attempt("start") { unsafe audioOutputUnitStart(unit) } }
    }

    /// Ends the unit, unless that was done.
    func finish(_ random: inout SplitMix) {
        if random.chance(2) { attempt("stop") { unsafe audioOutputUnitStop(unit) } }
        if random.chance(2) { attempt("uninitialize") { unsafe audioUnitUninitialize(unit) } }
        dispose(inCallback: false)
    }

    // MARK: Calls

    func act(_ random: inout SplitMix, inCallback: Bool = false) {
        switch Int.random(in: 0..<39, using: &random) {
        case 0...4: attempt("start") { unsafe audioOutputUnitStart(unit) }
        case 5...7: attempt("stop") { unsafe audioOutputUnitStop(unit) }
        case 8...11: attempt("initialize") { unsafe audioUnitInitialize(unit) }
        case 12: attempt("uninitialize") { unsafe audioUnitUninitialize(unit) }
        case 13 where random.chance(3): dispose(inCallback: inCallback)
        case 14: attempt("reset") { unsafe audioUnitReset(unit, UInt32.random(in: 0...4, using: &random), 1) }
        case 15: setFormat(&random)
        case 16: set(kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, [0, 1, 100, 512, 4096, .max], &random)
        case 17, 18:
            set(kAudioDevicePropertyBufferFrameSize, 0, 0, [0, 64, 100, 512, 4096, .max], &random)
        case 19, 20: setCallback(kAudioUnitProperty_SetRenderCallback, &random)
        case 21: setCallback(kAudioOutputUnitProperty_SetInputCallback, &random)
        case 22: enable(kAudioUnitScope_Input, 1, UInt32.random(in: 0...1, using: &random))
        case 23: enable(kAudioUnitScope_Output, 0, UInt32.random(in: 0...1, using: &random))
        case 24, 25: readProperty(&random)
        case 26, 27: setProperty(&random)
        case 28...30: render(&random)
        case 31: listen(&random)
        case 32: observe(&random)
        case 33: setVolume(&random)
        case 34: set(kAudioOutputUnitProperty_CurrentDevice, 0, 0, [0, .max, 77], &random)
        case 35, 36: setChannelMap(&random)
        case 37: setStartTime(&random)
        default: usleep(UInt32.random(in: 0..<1500, using: &random))
        }
    }

    @discardableResult
    private func attempt(_ name: String, _ call: () -> OSStatus) -> OSStatus {
        sequence.attempt(name, call)
    }

    private func dispose(inCallback: Bool) {
        let status = attempt("dispose") { unsafe audioComponentInstanceDispose(unit) }
        if status == noErr, !inCallback { hasEnded.store(true, ordering: .sequentiallyConsistent) }
    }

    private func enable(_ scope: AudioUnitScope, _ element: AudioUnitElement, _ value: UInt32) {
        var value = value
        attempt("enable") {
            unsafe audioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, scope, element, &value, 4)
        }
    }

    private func set(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, _ values: [UInt32],
        _ random: inout SplitMix
    ) {
        var value = values.randomElement(using: &random) ?? 0
        attempt("set \(id)") { unsafe audioUnitSetProperty(unit, id, scope, element, &value, 4) }
    }

    private func setFormat(_ random: inout SplitMix) {
        var format = AudioStreamBasicDescription.float(
            isInterleaved: random.chance(2), channels: Int.random(in: 1...3, using: &random),
            sampleRate: [8_000, 44_100, 48_000].randomElement(using: &random) ?? 48_000)
        if random.chance(2) { format = .signedInteger(bits: 16, channels: 1, sampleRate: 16_000) }
        if random.chance(6) { format.mChannelsPerFrame = .max }
        if random.chance(6) { format.mBytesPerFrame = 3 }
        if random.chance(9) { format.mSampleRate = .nan }
        let isInput = random.chance(2)
        attempt("format") {
            unsafe audioUnitSetProperty(
                unit, kAudioUnitProperty_StreamFormat,
                isInput ? kAudioUnitScope_Output : kAudioUnitScope_Input, isInput ? 1 : 0, &format, 40)
        }
    }

    private func setChannelMap(_ random: inout SplitMix) {
        let count = Int.random(in: 0...4, using: &random)
        var map = (0..<count).map { _ in Int32.random(in: -1...3, using: &random) }
        if random.chance(8) { map = [.min] }
        let element = UInt32.random(in: 0...1, using: &random)
        attempt("map") {
            unsafe audioUnitSetProperty(
                unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, element, &map,
                UInt32(map.count * 4))
        }
    }

    private func setStartTime(_ random: inout SplitMix) {
        var start = AudioOutputUnitStartAtTimeParams()
        start.mTimestamp.mHostTime = [0, 1, .max].randomElement(using: &random) ?? 0
        start.mTimestamp.mFlags = random.chance(4) ? .sampleTimeValid : .hostTimeValid
        attempt("start time") {
            unsafe audioUnitSetProperty(
                unit, kAudioOutputUnitProperty_StartTime, kAudioUnitScope_Global, 0, &start, 72)
        }
    }

    private func setCallback(_ id: AudioUnitPropertyID, _ random: inout SplitMix) {
        let element = UInt32.random(in: 0...1, using: &random)
        if random.chance(8) {
            attempt("no callback") {
                unsafe audioUnitSetProperty(unit, id, kAudioUnitScope_Global, element, nil, 0)
            }
            return
        }
        let procedure =
            unsafe id == kAudioUnitProperty_SetRenderCallback ? UnitFuzzClient.output : UnitFuzzClient.input
        var callback = unsafe AURenderCallbackStruct(inputProc: procedure, inputProcRefCon: context)
        attempt("callback") {
            unsafe audioUnitSetProperty(unit, id, kAudioUnitScope_Global, element, &callback, 16)
        }
    }

    private func readProperty(_ random: inout SplitMix) {
        let id = UnitFuzzClient.readable.randomElement(using: &random) ?? 0
        let scope = UInt32.random(in: 0...9, using: &random)
        let element: AudioUnitElement = [0, 1, 2, .max].randomElement(using: &random) ?? 0
        var bytes = [UInt8](repeating: 0, count: 512)
        var size = UInt32.random(in: 0...200, using: &random)
        attempt("get \(id)") { unsafe audioUnitGetProperty(unit, id, scope, element, &bytes, &size) }
        attempt("info \(id)") { unsafe audioUnitGetPropertyInfo(unit, id, scope, element, &size, nil) }
    }

    private func setProperty(_ random: inout SplitMix) {
        let id = UnitFuzzClient.writable.randomElement(using: &random) ?? 0
        let scope = UInt32.random(in: 0...9, using: &random)
        let element: AudioUnitElement = [0, 1, 2, .max].randomElement(using: &random) ?? 0
        var bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
        let size = UInt32.random(in: 0...64, using: &random)
        attempt("set \(id)") { unsafe audioUnitSetProperty(unit, id, scope, element, &bytes, size) }
    }

    private func listen(_ random: inout SplitMix) {
        let ids = [
            kAudioOutputUnitProperty_IsRunning, kAudioUnitProperty_StreamFormat,
            kAudioDeviceProcessorOverload,
        ]
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        if random.chance(2) {
            attempt("listen") {
                unsafe audioUnitAddPropertyListener(unit, id, UnitFuzzClient.listener, context)
            }
        } else {
            attempt("do not listen") {
                unsafe audioUnitRemovePropertyListenerWithUserData(
                    unit, id, UnitFuzzClient.listener, context)
            }
        }
    }

    private func observe(_ random: inout SplitMix) {
        if random.chance(2) {
            attempt("observe") { unsafe audioUnitAddRenderNotify(unit, UnitFuzzClient.observer, context) }
        } else {
            attempt("do not observe") {
                unsafe audioUnitRemoveRenderNotify(unit, UnitFuzzClient.observer, context)
            }
        }
    }

    private func setVolume(_ random: inout SplitMix) {
        let values: [Float] = [-1, 0, 0.5, 1, 7, .nan, .infinity]
        var volume = values[Int.random(in: 0..<values.count, using: &random)]
        let id = random.chance(3) ? 99 : kHALOutputParam_Volume
        let scope = UInt32.random(in: 0...5, using: &random)
        attempt("set volume") { unsafe audioUnitSetParameter(unit, id, scope, 0, volume, .max) }
        attempt("get volume") { unsafe audioUnitGetParameter(unit, id, scope, 0, &volume) }
    }

    /// Renders on a thread that is probably the wrong one.
    private func render(
        _ random: inout SplitMix, frames: UInt32? = nil,
        _ time: AudioTimeStamp = AudioTimeStamp()
    ) {
        var time = time
        let lengths: [UInt32] = [0, 1, 64, 512, 5000, .max]
        let frames = frames ?? lengths[Int.random(in: 0..<lengths.count, using: &random)]
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 4)
        defer { unsafe free(list.unsafeMutablePointer) }
        unsafe list.count = Int.random(in: 0...4, using: &random)
        // Memory that other callbacks do not use now.
        let own = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 64)
        defer { unsafe own.deallocate() }
        for index in 0..<(unsafe list.count) {
            let hasMemory = random.chance(2)
            let bytes = [0, 16, 1 << 14].randomElement(using: &random) ?? 0
            unsafe list[index] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(bytes),
                mData: hasMemory ? own + index << 14 : nil)
        }
        let bus: UInt32 = random.chance(6) ? 0 : 1
        attempt("render") {
            unsafe audioUnitRender(unit, nil, &time, bus, frames, list.unsafeMutablePointer)
        }
    }

    // MARK: Callbacks

    private static func client(_ context: UnsafeMutableRawPointer) -> UnitFuzzClient {
        unsafe Unmanaged<UnitFuzzClient>.fromOpaque(context).takeUnretainedValue()
    }

    private static let output: AURenderCallback = { context, flags, time, bus, frames, list in
        let client = unsafe UnitFuzzClient.client(context)
        guard bus == 0, let list = unsafe UnsafeMutableAudioBufferListPointer(list) else {
            client.sequence.note("output callback of bus \(bus)")
            return -1
        }
        return unsafe client.renderOutput(flags, time.pointee, frames, list)
    }

    private static let input: AURenderCallback = { context, flags, time, bus, frames, list in
        let client = unsafe UnitFuzzClient.client(context)
        let hasList = unsafe list != nil
        if bus != 1 || hasList { client.sequence.note("input callback of bus \(bus)") }
        return client.takeInput(unsafe time.pointee, frames)
    }

    private static let observer: AURenderCallback = { context, _, _, _, _, _ in
        unsafe UnitFuzzClient.client(context).called("observer")
        return noErr
    }

    private static let listener: AudioUnitPropertyListenerProc = { context, unit, _, scope, element in
        let client = unsafe UnitFuzzClient.client(context)
        var isRunning: UInt32 = 7
        var size: UInt32 = 4
        // Whatever the state of the unit, the call returns.
        _ = unsafe audioUnitGetProperty(
            unit, kAudioOutputUnitProperty_IsRunning, scope, element, &isRunning, &size)
        var random = client.sequence.makeRandom()
        if random.chance(6), client.spendBudget() { client.act(&random, inCallback: true) }
    }

    private func called(_ name: String) {
        if hasEnded.load(ordering: .sequentiallyConsistent) { sequence.note("\(name) after the end") }
    }

    private func spendBudget() -> Bool {
        sequence.callbackBudget.subtract(1, ordering: .relaxed).newValue > 0
    }

    private func actInCallback(_ random: inout SplitMix) {
        guard random.chance(4), spendBudget() else { return }
        sequence.anyClient(&random)?.act(&random, inCallback: true)
    }

    @unsafe private func renderOutput(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: AudioTimeStamp, _ frames: UInt32,
        _ list: UnsafeMutableAudioBufferListPointer
    ) -> OSStatus {
        called("output callback")
        sequence.outputs.add()
        var random = sequence.makeRandom()
        for index in 0..<(unsafe list.count) {
            // Every byte that the size promises can be written.
            unsafe _ = list[index].mData.map { unsafe memset($0, 0x3C, Int(list[index].mDataByteSize)) }
        }
        actInCallback(&random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: unsafe list[0].mDataByteSize /= 2
        case 1: unsafe list[0].mDataByteSize = 0
        case 2: unsafe list[0].mDataByteSize = .max
        case 3:
            unsafe list[0].mData = memory
            unsafe list[0].mDataByteSize = 1 << 20
        case 4: unsafe list[0].mData = nil
        case 5: unsafe list.count = 0
        case 6: unsafe flags.pointee.insert(.unitRenderAction_OutputIsSilence)
        case 7: return -1
        case 8: unsafe flags.pointee = AudioUnitRenderActionFlags(rawValue: .max)
        case 9: render(&random, frames: frames, time)
        default: break
        }
        return noErr
    }

    private func takeInput(_ time: AudioTimeStamp, _ frames: UInt32) -> OSStatus {
        called("input callback")
        sequence.inputs.add()
        var random = sequence.makeRandom()
        actInCallback(&random)
        if !random.chance(4) { render(&random, frames: random.chance(4) ? nil : frames, time) }
        return random.chance(10) ? -1 : noErr
    }

    // MARK: Properties

    // Without those of devices, for which units ask the server.
    private static let readable = UnitNames.properties.filter { $0 != kAudioOutputUnitProperty_CurrentDevice }

    // Without addresses of procedures, and without lengths that need much memory.
    private static let writable = readable.filter { id in
        ![
            kAudioUnitProperty_SetRenderCallback, kAudioOutputUnitProperty_SetInputCallback,
            kAUVoiceIOProperty_MutedSpeechActivityEventListener, kAudioUnitProperty_ScheduledFileRegion,
            kAudioUnitProperty_MaximumFramesPerSlice,
        ].contains(id)
    }
}
