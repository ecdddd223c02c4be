// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Synchronization
import Testing

@testable import AQToolboxFunctions

/// A unit without a device, by its C functions.
@safe struct PulledUnitRig: @unchecked Sendable {
    // SAFETY: handles are keys, which nothing reads through, and which all threads may use.
    let unit: AudioUnit

    init(_ unit: AudioUnit) { unsafe self.unit = unit }

    init(_ type: UInt32, _ subtype: UInt32) throws {
        var wanted = AudioComponentDescription()
        (wanted.componentType, wanted.componentSubType) = (type, subtype)
        let component = try unsafe #require(audioComponentFindNext(nil, &wanted))
        var made: AudioComponentInstance?
        try unsafe #require(audioComponentInstanceNew(component, &made) == noErr)
        unsafe unit = try unsafe #require(made)
    }

    static func converter() throws -> PulledUnitRig {
        try PulledUnitRig(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    }

    static func output() throws -> PulledUnitRig {
        try PulledUnitRig(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    }

    static func mixer() throws -> PulledUnitRig {
        try PulledUnitRig(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    }

    func end() { unsafe _ = audioComponentInstanceDispose(unit) }

    func get<Value: BitwiseCopyable>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0, as zero: Value
    ) throws -> Value {
        var value = zero
        var size = UInt32(MemoryLayout<Value>.size)
        let status = unsafe audioUnitGetProperty(unit, id, scope, element, &value, &size)
        try #require(status == noErr, "\(status)")
        #expect(size == MemoryLayout<Value>.size)
        return value
    }

    func set<Value: BitwiseCopyable>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0, to value: Value
    ) -> OSStatus {
        var value = value
        return unsafe audioUnitSetProperty(
            unit, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
    }

    /// Connects an input to the output of another unit; nil disconnects it.
    func connect(_ input: UInt32 = 0, to source: PulledUnitRig?, output: UInt32 = 0) -> OSStatus {
        var connection = unsafe AudioUnitConnection(
            sourceAudioUnit: source?.unit, sourceOutputNumber: output, destInputNumber: input)
        return unsafe audioUnitSetProperty(
            unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, input, &connection,
            UInt32(MemoryLayout<AudioUnitConnection>.size))
    }

    func setCallback(_ source: CallbackSource?, input: UInt32 = 0) -> OSStatus {
        var callback = unsafe source?.callback ?? AURenderCallbackStruct()
        return unsafe audioUnitSetProperty(
            unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, input, &callback,
            UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    }

    /// Renders frames of two channels of floats.
    ///
    /// - Parameter lends: Whether the memory is the unit's, which must still exist after the call.
    func render(
        _ frames: UInt32, bus: UInt32 = 0, lends: Bool = true
    ) -> (status: OSStatus, samples: [[Float]]) {
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Int(frames))
        defer {
            unsafe free(list.unsafeMutablePointer)
            unsafe memory.deallocate()
        }
        for index in 0..<2 {
            unsafe list[index] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: lends ? 0 : frames * 4,
                mData: lends ? nil : memory + index * Int(frames))
        }
        var time = AudioTimeStamp()
        var flags: AudioUnitRenderActionFlags = []
        let status = unsafe audioUnitRender(unit, &flags, &time, bus, frames, list.unsafeMutablePointer)
        guard status == noErr else { return (status, []) }
        return (
            status, unsafe list.map { unsafe Array(UnsafeMutableBufferPointer<Float>($0)) }
        )
    }

    /// Renders frames, and returns the sample that all of them are; nil if they differ.
    func render(constant frames: UInt32, lends: Bool = true) -> Float? {
        let (status, samples) = render(frames, lends: lends)
        guard status == noErr, let first = samples.first?.first,
            samples.allSatisfy({ $0.allSatisfy { $0 == first } })
        else { return nil }
        return first
    }
}

/// A callback that provides a constant.
final class CallbackSource: Sendable {
    private let value: Float
    private let counted = Atomic<Int>(0)
    private let body: @Sendable () -> Void

    init(_ value: Float, _ body: @escaping @Sendable () -> Void = {}) {
        self.value = value
        self.body = body
    }

    /// The number of frames that were provided.
    var frames: Int { counted.load(ordering: .relaxed) }

    var callback: AURenderCallbackStruct {
        unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, frames, list in
                let source = unsafe Unmanaged<CallbackSource>.fromOpaque(context).takeUnretainedValue()
                guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
                for buffer in 0..<(unsafe list.count) {
                    let floats = unsafe UnsafeMutableBufferPointer<Float>(list[buffer])
                    for frame in floats.indices { unsafe floats[frame] = source.value }
                }
                source.counted.add(Int(frames), ordering: .relaxed)
                source.body()
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
}
