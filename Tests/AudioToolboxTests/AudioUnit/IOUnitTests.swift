// SPDX-License-Identifier: MIT

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
        #expect(unsafe audioComponentInstanceGetComponent(unit) == component)
        #expect(unsafe audioComponentInstanceCanDo(unit, 1))
        #expect(unsafe audioComponentInstanceDispose(unit) == noErr)
        #expect(unsafe audioComponentInstanceDispose(unit) == kAudio_ParamError)
        #expect(unsafe audioUnitInitialize(unit) == kAudio_ParamError)
    }

    @Test("have the published format on both client sides before one is set") func usualFormat() throws {
        defer { end() }
        for (scope, element) in [(kAudioUnitScope_Input, 0), (kAudioUnitScope_Output, 1)]
            as [(UInt32, UInt32)]
        {
            let format = try get(
                kAudioUnitProperty_StreamFormat, scope, element, as: AudioStreamBasicDescription())
            #expect(format.mSampleRate == 44_100)
            #expect(format.mFormatID == kAudioFormatLinearPCM)
            #expect(
                format.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
                    | kAudioFormatFlagIsNonInterleaved)
            #expect(format.mChannelsPerFrame == 2)
            #expect(format.mBytesPerFrame == 4)
        }
    }

    @Test("take any linear PCM, and refuse other formats and the device's side") func formats() throws {
        defer { end() }
        let id = kAudioUnitProperty_StreamFormat
        let shorts = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 8_000)
        #expect(set(id, kAudioUnitScope_Input, 0, to: shorts) == noErr)
        let kept = try get(id, kAudioUnitScope_Input, 0, as: AudioStreamBasicDescription())
        #expect(kept.summary == shorts.summary)
        #expect(set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, to: 16_000.0) == noErr)
        #expect(try get(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, as: 0.0) == 16_000)
        var wrong = shorts
        wrong.mFormatID = kAudioFormatMPEG4AAC
        #expect(set(id, kAudioUnitScope_Input, 0, to: wrong) == kAudioUnitErr_FormatNotSupported)
        wrong = shorts
        wrong.mChannelsPerFrame = 0xFFFF_FFFF
        #expect(set(id, kAudioUnitScope_Input, 0, to: wrong) == kAudioUnitErr_FormatNotSupported)
        #expect(set(id, kAudioUnitScope_Output, 0, to: shorts) == kAudioUnitErr_PropertyNotWritable)
        #expect(set(id, kAudioUnitScope_Input, 1, to: shorts) == kAudioUnitErr_PropertyNotWritable)
        #expect(set(id, kAudioUnitScope_Input, 2, to: shorts) == kAudioUnitErr_InvalidElement)
        #expect(set(id, kAudioUnitScope_Group, 0, to: shorts) == kAudioUnitErr_InvalidScope)
        #expect(set(id, kAudioUnitScope_Input, 0, to: UInt32(1)) == kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("have the output enabled, and the input on request") func directions() throws {
        defer { end() }
        let id = kAudioOutputUnitProperty_EnableIO
        #expect(try get(id, kAudioUnitScope_Output, 0, as: UInt32(9)) == 1)
        #expect(try get(id, kAudioUnitScope_Input, 1, as: UInt32(9)) == 0)
        #expect(set(id, kAudioUnitScope_Input, 1, to: UInt32(1)) == noErr)
        #expect(set(id, kAudioUnitScope_Output, 0, to: UInt32(0)) == noErr)
        #expect(try get(id, kAudioUnitScope_Output, 0, as: UInt32(9)) == 0)
        #expect(try get(id, kAudioUnitScope_Input, 1, as: UInt32(9)) == 1)
        #expect(try get(kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, as: UInt32(9)) == 1)
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
        #expect(unsafe audioUnitAddPropertyListener(unit, id, procedure, context) == noErr)
        #expect(set(id, to: UInt32(128)) == noErr)
        #expect(heard.places == [[kAudioUnitScope_Input, 0], [kAudioUnitScope_Output, 1]])
        #expect(try get(id, kAudioUnitScope_Output, 0, as: UInt32(0)) == 128)
        #expect(set(id, to: UInt32(1)) == noErr)
        #expect(try get(id, as: UInt32(0)) == 64)
        #expect(
            unsafe audioUnitRemovePropertyListenerWithUserData(unit, id, procedure, context) == noErr)
        #expect(set(id, to: UInt32(256)) == noErr)
        #expect(heard.places.count == 4)
    }

    @Test("return the first bytes of a value for which there is too little memory") func firstBytes() throws {
        defer { end() }
        // PortAudio polls with the size of a Boolean.
        let id = kAudioOutputUnitProperty_IsRunning
        var isRunning: UInt8 = 7
        var size: UInt32 = 1
        #expect(unsafe audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 1, &isRunning, &size) == noErr)
        #expect(isRunning == 0 && size == 1)
        var format = AudioStreamBasicDescription()
        size = 12
        #expect(
            unsafe audioUnitGetProperty(
                unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, &size) == noErr)
        #expect(format.mSampleRate == 44_100 && format.mFormatID == kAudioFormatLinearPCM && size == 12)
        #expect(format.mFormatFlags == 0 && format.mChannelsPerFrame == 0)
        size = 0
        #expect(
            unsafe audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 1, &isRunning, &size)
                == kAudio_ParamError)
    }

    @Test("have a volume, and no other parameter") func volume() {
        defer { end() }
        var value: Float = -1
        #expect(unsafe audioUnitGetParameter(unit, kHALOutputParam_Volume, 0, 0, &value) == noErr)
        #expect(value == 1)
        #expect(unsafe audioUnitSetParameter(unit, kHALOutputParam_Volume, 0, 0, 0.25, 0) == noErr)
        #expect(unsafe audioUnitGetParameter(unit, kHALOutputParam_Volume, 0, 0, &value) == noErr)
        #expect(value == 0.25)
        #expect(
            unsafe audioUnitSetParameter(unit, 99, 0, 0, 0.25, 0) == kAudioUnitErr_InvalidParameter)
        #expect(
            unsafe audioUnitSetParameter(unit, kHALOutputParam_Volume, 5, 0, 0.25, 0)
                == kAudioUnitErr_InvalidScope)
    }

    @Test("take a start time that has a host time") func startTime() {
        defer { end() }
        let id = kAudioOutputUnitProperty_StartTime
        var size: UInt32 = 0
        var isWritable = false
        #expect(
            unsafe audioUnitGetPropertyInfo(unit, id, kAudioUnitScope_Global, 0, &size, &isWritable) == noErr)
        #expect(size == 72 && isWritable)
        var start = AudioOutputUnitStartAtTimeParams()
        start.mTimestamp.mSampleTime = 480
        start.mTimestamp.mFlags = .sampleTimeValid
        #expect(set(id, to: start) == kAudioUnitErr_InvalidPropertyValue)
        start.mTimestamp.mHostTime = 1
        start.mTimestamp.mFlags = .sampleHostTimeValid
        #expect(set(id, to: start) == noErr)
        #expect(set(id, to: start.mTimestamp) == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            unsafe audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &start, &size)
                == kAudioUnitErr_InvalidProperty)
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
        #expect(
            unsafe audioUnitGetPropertyInfo(unit, id, kAudioUnitScope_Global, 0, &size, nil)
                == kAudioUnitErr_InvalidProperty)
        #expect(set(id, to: UInt32(1)) == kAudioUnitErr_InvalidProperty)
    }

    @Test("can be started, and rendered, only when they are initialized") func uninitialized() {
        defer { end() }
        #expect(unsafe audioOutputUnitStart(unit) == kAudioUnitErr_Uninitialized)
        #expect(unsafe audioOutputUnitStop(unit) == noErr)
        var time = AudioTimeStamp()
        var list = AudioBufferList()
        #expect(unsafe audioUnitRender(unit, nil, &time, 1, 64, &list) == kAudioUnitErr_Uninitialized)
        #expect(unsafe audioUnitRender(unit, nil, nil, 1, 64, &list) == kAudio_ParamError)
        #expect(unsafe audioUnitRender(unit, nil, &time, 1, 64, nil) == kAudio_ParamError)
    }

    @Test("that play only have no input side") func outputOnly() throws {
        end()
        let (other, _) = try unsafe Self.make(kAudioUnitSubType_DefaultOutput)
        defer { unsafe _ = audioComponentInstanceDispose(other) }
        var on: UInt32 = 1
        #expect(
            unsafe audioUnitSetProperty(
                other, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, 4)
                == kAudioUnitErr_InvalidElement)
        #expect(
            unsafe audioUnitSetProperty(
                other, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &on, 4)
                == kAudioUnitErr_PropertyNotWritable)
        var size: UInt32 = 0
        var isWritable = true
        #expect(
            unsafe audioUnitGetPropertyInfo(
                other, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &size, &isWritable)
                == noErr)
        #expect(size == 4 && !isWritable)
    }
}

/// The scopes and elements that a listener got.
private final class Heard: Sendable {
    private let state = Mutex<[[UInt32]]>([])
    var places: [[UInt32]] { state.withLock { $0 } }
    func add(_ scope: UInt32, _ element: UInt32) { state.withLock { $0.append([scope, element]) } }
}
