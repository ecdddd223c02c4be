// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CAQCoreAudio
import CoreAudioTypes
import Synchronization
import Testing

@testable import AQToolboxFunctions

/// The properties of I/O units, which need no server.
@Suite("I/O units") @safe struct IOUnitTests {
    // SAFETY: handles are keys, which nothing reads through.
    private let unit: AudioUnit
    private let component: AudioComponent

    init() throws {
        unsafe (unit, component) = try unsafe Self.make(kAudioUnitSubType_HALOutput)
    }

    private static func make(_ subtype: UInt32) throws -> (AudioUnit, AudioComponent) {
        var wanted = AudioComponentDescription()
        wanted.componentType = kAudioUnitType_Output
        wanted.componentSubType = subtype
        let component = try unsafe #require(audioComponentFindNext(nil, &wanted))
        var unit: AudioComponentInstance?
        try unsafe #require(audioComponentInstanceNew(component, &unit) == noErr)
        return unsafe (try #require(unit), component)
    }

    private func get<Value: BitwiseCopyable>(
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

    private func set<Value: BitwiseCopyable>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0, to value: Value
    ) -> OSStatus {
        var value = value
        return unsafe audioUnitSetProperty(
            unit, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
    }

    private func end() { unsafe _ = audioComponentInstanceDispose(unit) }

    @Test("belong to their component, and end once") func instance() {
        unsafe expectEqual(audioComponentInstanceGetComponent(unit), component)
        #expect(unsafe audioComponentInstanceCanDo(unit, 1))
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
        unsafe expectEqual(audioComponentInstanceDispose(unit), kAudio_ParamError)
        unsafe expectEqual(audioUnitInitialize(unit), kAudio_ParamError)
    }

    @Test("have the published format on both client sides before one is set") func usualFormat() throws {
        defer { end() }
        for (scope, element) in [(kAudioUnitScope_Input, 0), (kAudioUnitScope_Output, 1)]
            as [(UInt32, UInt32)]
        {
            let format = try get(
                kAudioUnitProperty_StreamFormat, scope, element, as: AudioStreamBasicDescription())
            expectEqual(format.mSampleRate, 44_100)
            expectEqual(format.mFormatID, kAudioFormatLinearPCM)
            expectEqual(
                format.mFormatFlags,
                kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
                    | kAudioFormatFlagIsNonInterleaved)
            expectEqual(format.mChannelsPerFrame, 2)
            expectEqual(format.mBytesPerFrame, 4)
        }
    }

    @Test("take any linear PCM, and refuse other formats and the device's side") func formats() throws {
        defer { end() }
        let id = kAudioUnitProperty_StreamFormat
        let shorts = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 8_000)
        expectEqual(set(id, kAudioUnitScope_Input, 0, to: shorts), noErr)
        let kept = try get(id, kAudioUnitScope_Input, 0, as: AudioStreamBasicDescription())
        expectEqual(kept.summary, shorts.summary)
        expectEqual(set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, to: 16_000.0), noErr)
        try expectEqual(get(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, as: 0.0), 16_000)
        var wrong = shorts
        wrong.mFormatID = kAudioFormatMPEG4AAC
        expectEqual(set(id, kAudioUnitScope_Input, 0, to: wrong), kAudioUnitErr_FormatNotSupported)
        wrong = shorts
        wrong.mChannelsPerFrame = 0xFFFF_FFFF
        expectEqual(set(id, kAudioUnitScope_Input, 0, to: wrong), kAudioUnitErr_FormatNotSupported)
        expectEqual(set(id, kAudioUnitScope_Output, 0, to: shorts), kAudioUnitErr_PropertyNotWritable)
        expectEqual(set(id, kAudioUnitScope_Input, 1, to: shorts), kAudioUnitErr_PropertyNotWritable)
        expectEqual(set(id, kAudioUnitScope_Input, 2, to: shorts), kAudioUnitErr_InvalidElement)
        expectEqual(set(id, kAudioUnitScope_Group, 0, to: shorts), kAudioUnitErr_InvalidScope)
        expectEqual(set(id, kAudioUnitScope_Input, 0, to: UInt32(1)), kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("have the output enabled, and the input on request") func directions() throws {
        defer { end() }
        let id = kAudioOutputUnitProperty_EnableIO
        try expectEqual(get(id, kAudioUnitScope_Output, 0, as: UInt32(9)), 1)
        try expectEqual(get(id, kAudioUnitScope_Input, 1, as: UInt32(9)), 0)
        expectEqual(set(id, kAudioUnitScope_Input, 1, to: UInt32(1)), noErr)
        expectEqual(set(id, kAudioUnitScope_Output, 0, to: UInt32(0)), noErr)
        try expectEqual(get(id, kAudioUnitScope_Output, 0, as: UInt32(9)), 0)
        try expectEqual(get(id, kAudioUnitScope_Input, 1, as: UInt32(9)), 1)
        try expectEqual(get(kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, as: UInt32(9)), 1)
    }

    @Test("report a new length of slices to listeners, with the scopes of the client's sides")
    func bufferFrames() throws {
        defer { end() }
        let heard = Heard()
        let context = unsafe Unmanaged.passUnretained(heard).toOpaque()
        let id = kAudioDevicePropertyBufferFrameSize
        let procedure: AudioUnitPropertyListenerProc = { context, _, _, scope, element in
            unsafe Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue().add(scope, element)
        }
        unsafe expectEqual(audioUnitAddPropertyListener(unit, id, procedure, context), noErr)
        expectEqual(set(id, to: UInt32(128)), noErr)
        expectEqual(heard.places, [[kAudioUnitScope_Input, 0], [kAudioUnitScope_Output, 1]])
        try expectEqual(get(id, kAudioUnitScope_Output, 0, as: UInt32(0)), 128)
        expectEqual(set(id, to: UInt32(1)), noErr)
        try expectEqual(get(id, as: UInt32(0)), 64)
        unsafe expectEqual(
            audioUnitRemovePropertyListenerWithUserData(unit, id, procedure, context), noErr)
        expectEqual(set(id, to: UInt32(256)), noErr)
        expectEqual(heard.places.count, 4)
    }

    @Test("return the first bytes of a value for which there is too little memory") func firstBytes() throws {
        defer { end() }
        // PortAudio polls with the size of a Boolean.
        let id = kAudioOutputUnitProperty_IsRunning
        var isRunning: UInt8 = 7
        var size: UInt32 = 1
        unsafe expectEqual(
            audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 1, &isRunning, &size), noErr)
        #expect(isRunning == 0 && size == 1)
        var format = AudioStreamBasicDescription()
        size = 12
        unsafe expectEqual(
            audioUnitGetProperty(
                unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, &size), noErr)
        #expect(format.mSampleRate == 44_100 && format.mFormatID == kAudioFormatLinearPCM && size == 12)
        #expect(format.mFormatFlags == 0 && format.mChannelsPerFrame == 0)
        size = 0
        unsafe expectEqual(
            audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 1, &isRunning, &size), kAudio_ParamError)
    }

    @Test("have a volume, and no other parameter") func volume() {
        defer { end() }
        var value: Float = -1
        unsafe expectEqual(audioUnitGetParameter(unit, kHALOutputParam_Volume, 0, 0, &value), noErr)
        expectEqual(value, 1)
        unsafe expectEqual(audioUnitSetParameter(unit, kHALOutputParam_Volume, 0, 0, 0.25, 0), noErr)
        unsafe expectEqual(audioUnitGetParameter(unit, kHALOutputParam_Volume, 0, 0, &value), noErr)
        expectEqual(value, 0.25)
        unsafe expectEqual(
            audioUnitSetParameter(unit, 99, 0, 0, 0.25, 0), kAudioUnitErr_InvalidParameter)
        unsafe expectEqual(
            audioUnitSetParameter(unit, kHALOutputParam_Volume, 5, 0, 0.25, 0), kAudioUnitErr_InvalidScope)
    }

    @Test("take a start time that has a host time") func startTime() {
        defer { end() }
        let id = kAudioOutputUnitProperty_StartTime
        var size: UInt32 = 0
        var isWritable = false
        unsafe expectEqual(
            audioUnitGetPropertyInfo(unit, id, kAudioUnitScope_Global, 0, &size, &isWritable), noErr)
        #expect(size == 72 && isWritable)
        var start = AudioOutputUnitStartAtTimeParams()
        start.mTimestamp.mSampleTime = 480
        start.mTimestamp.mFlags = .sampleTimeValid
        expectEqual(set(id, to: start), kAudioUnitErr_InvalidPropertyValue)
        start.mTimestamp.mHostTime = 1
        start.mTimestamp.mFlags = .sampleHostTimeValid
        expectEqual(set(id, to: start), noErr)
        expectEqual(set(id, to: start.mTimestamp), kAudioUnitErr_InvalidPropertyValue)
        unsafe expectEqual(
            audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &start, &size),
            kAudioUnitErr_InvalidProperty)
    }

    @Test(
        "do not have the properties of other units",
        arguments: [
            kAudioUnitProperty_ClassInfo, kAudioUnitProperty_ParameterList, kAudioUnitProperty_CPULoad,
            kAudioUnitProperty_TailTime, kAudioUnitProperty_BypassEffect, kAudioUnitProperty_FactoryPresets,
            kAudioUnitProperty_OfflineRender, kAudioOutputUnitProperty_OSWorkgroup, 12_345,
        ])
    func unknown(id: AudioUnitPropertyID) {
        defer { end() }
        var size: UInt32 = 0
        unsafe expectEqual(
            audioUnitGetPropertyInfo(unit, id, kAudioUnitScope_Global, 0, &size, nil),
            kAudioUnitErr_InvalidProperty)
        expectEqual(set(id, to: UInt32(1)), kAudioUnitErr_InvalidProperty)
    }

    @Test("can be started, and rendered, only when they are initialized") func uninitialized() {
        defer { end() }
        unsafe expectEqual(audioOutputUnitStart(unit), kAudioUnitErr_Uninitialized)
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        var time = AudioTimeStamp()
        var list = AudioBufferList()
        unsafe expectEqual(audioUnitRender(unit, nil, &time, 1, 64, &list), kAudioUnitErr_Uninitialized)
        unsafe expectEqual(audioUnitRender(unit, nil, nil, 1, 64, &list), kAudio_ParamError)
        unsafe expectEqual(audioUnitRender(unit, nil, &time, 1, 64, nil), kAudio_ParamError)
    }

    @Test("that play only have no input side") func outputOnly() throws {
        end()
        let (other, _) = try unsafe Self.make(kAudioUnitSubType_DefaultOutput)
        defer { unsafe _ = audioComponentInstanceDispose(other) }
        var on: UInt32 = 1
        unsafe expectEqual(
            audioUnitSetProperty(
                other, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, 4),
            kAudioUnitErr_InvalidElement)
        unsafe expectEqual(
            audioUnitSetProperty(
                other, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &on, 4),
            kAudioUnitErr_PropertyNotWritable)
        var size: UInt32 = 0
        var isWritable = true
        unsafe expectEqual(
            audioUnitGetPropertyInfo(
                other, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &size, &isWritable),
            noErr)
        #expect(size == 4 && !isWritable)
    }
}

/// The scopes and elements that a listener got.
private final class Heard: Sendable {
    private let state = Mutex<[[UInt32]]>([])
    var places: [[UInt32]] { state.withLock { $0 } }
    func add(_ scope: UInt32, _ element: UInt32) { state.withLock { $0.append([scope, element]) } }
}
