// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Synchronization
import Testing

@testable import AQToolboxFunctions

/// The properties and parameters of units without a device.
@Suite("Units without a device") struct PulledUnitTests {
    private static let shorts = AudioStreamBasicDescription.signedInteger(
        bits: 16, channels: 1, sampleRate: 22_050)

    @Test("have the usual format, and take others on each side") func formats() throws {
        let unit = try PulledUnitRig.converter()
        defer { unit.end() }
        let id = kAudioUnitProperty_StreamFormat
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
            let format = try unit.get(id, scope, as: AudioStreamBasicDescription())
            #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 2)
            #expect(!format.isInterleaved && format.isFloat)
            expectEqual(unit.set(id, scope, to: Self.shorts), noErr)
            #expect(try unit.get(id, scope, as: AudioStreamBasicDescription()).isSame(as: Self.shorts))
            expectEqual(unit.set(kAudioUnitProperty_SampleRate, scope, to: 8_000.0), noErr)
            try expectEqual(unit.get(kAudioUnitProperty_SampleRate, scope, as: 0.0), 8_000)
            expectEqual(unit.set(id, scope, 1, to: Self.shorts), kAudioUnitErr_InvalidElement)
        }
        expectEqual(unit.set(id, kAudioUnitScope_Global, to: Self.shorts), kAudioUnitErr_InvalidScope)
        expectEqual(unit.set(id, kAudioUnitScope_Input, to: UInt32(3)), kAudioUnitErr_InvalidPropertyValue)
        var wrong = Self.shorts
        wrong.mFormatID = kAudioFormatMPEG4AAC
        expectEqual(unit.set(id, kAudioUnitScope_Input, to: wrong), kAudioUnitErr_FormatNotSupported)
    }

    @Test("convert what their callback provides") func conversion() throws {
        let unit = try PulledUnitRig.converter()
        defer { unit.end() }
        let source = CallbackSource(0.25)
        expectEqual(unit.render(64).status, kAudioUnitErr_Uninitialized)
        unsafe expectEqual(audioUnitInitialize(unit.unit), noErr)
        expectEqual(unit.render(64).status, kAudioUnitErr_NoConnection)
        // Neither a question for the size nor a refused call clears the error.
        var (size, isWritable) = (UInt32(0), true)
        let lastError = kAudioUnitProperty_LastRenderError
        unsafe expectEqual(
            audioUnitGetPropertyInfo(
                unit.unit, lastError, kAudioUnitScope_Global, 0, &size, &isWritable), noErr)
        #expect(size == 4 && !isWritable)
        unsafe expectEqual(
            audioUnitGetProperty(unit.unit, lastError, kAudioUnitScope_Global, 0, nil, &size), noErr)
        expectEqual(unit.set(lastError, to: OSStatus(0)), kAudioUnitErr_PropertyNotWritable)
        size = 0
        var byte: UInt8 = 0
        unsafe expectEqual(
            audioUnitGetProperty(unit.unit, lastError, kAudioUnitScope_Global, 0, &byte, &size),
            kAudio_ParamError)
        try expectEqual(
            unit.get(kAudioUnitProperty_LastRenderError, as: OSStatus(0)), kAudioUnitErr_NoConnection)
        try expectEqual(unit.get(kAudioUnitProperty_LastRenderError, as: OSStatus(1)), noErr)
        expectEqual(unit.setCallback(source), noErr)
        expectEqual(unit.render(constant: 100), 0.25)
        expectEqual(source.frames, 100)
        try expectEqual(unit.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32(0)), 1156)
        expectEqual(unit.render(constant: 1024), 0.25)
        expectEqual(unit.render(1157).status, kAudioUnitErr_TooManyFramesToProcess)
        expectEqual(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(4096)), noErr)
        expectEqual(unit.render(constant: 4096), 0.25)
        expectEqual(unit.render(64, bus: 1).status, kAudioUnitErr_InvalidElement)
        expectEqual(
            unit.set(kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, to: UInt32(0)), noErr)
        expectEqual(unit.render(64).status, kAudio_ParamError)
        expectEqual(unit.setCallback(nil), noErr)
        unsafe expectEqual(audioUnitReset(unit.unit, kAudioUnitScope_Global, 0), noErr)
        unsafe expectEqual(audioUnitUninitialize(unit.unit), noErr)
        expectEqual(unit.render(64).status, kAudioUnitErr_Uninitialized)
    }

    @Test("know which properties they have, and which of them can be set") func properties() throws {
        let units = [try PulledUnitRig.converter(), try .output(), try .mixer()]
        defer { for unit in units { unit.end() } }
        for (index, unit) in units.enumerated() {
            try expectEqual(unit.get(kAudioUnitProperty_Latency, as: 1.0), 0)
            try expectEqual(unit.get(kAudioUnitProperty_TailTime, as: 1.0), 0)
            let channels = try unit.get(kAudioUnitProperty_SupportedNumChannels, as: AUChannelInfo())
            #expect(channels.inChannels == -1 && channels.outChannels == -1)
            expectEqual(unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(1)), noErr)
            try expectEqual(unit.get(kAudioUnitProperty_OfflineRender, as: UInt32(0)), 1)
            expectEqual(unit.set(kAudioUnitProperty_RenderQuality, to: UInt32(32)), noErr)
            expectEqual(
                unit.set(kAudioUnitProperty_RenderQuality, to: UInt32(128)),
                kAudioUnitErr_InvalidPropertyValue)
            try expectEqual(unit.get(kAudioUnitProperty_RenderQuality, as: UInt32(0)), 32)
            expectEqual(unit.set(kAudioUnitProperty_Latency, to: 1.0), kAudioUnitErr_PropertyNotWritable)
            expectEqual(
                unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1)), kAudioUnitErr_InvalidProperty)
            let inputs = try unit.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, as: UInt32(0))
            expectEqual(inputs, (index == 2 ? 8 : 1))
            try expectEqual(
                unit.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, as: UInt32(0)), 1)
            var (size, isWritable) = (UInt32(0), false)
            unsafe expectEqual(
                audioUnitGetPropertyInfo(
                    unit.unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &size, &isWritable
                ), noErr)
            #expect(size == 16 && isWritable)
            let layout = try #require(sizeToGet(kAudioUnitProperty_AudioChannelLayout, unit))
            #expect(layout > 0)
        }
        expectEqual(
            units[0].set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(2)),
            kAudioUnitErr_PropertyNotWritable)
        expectEqual(
            units[2].set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, to: UInt32(2)),
            kAudioUnitErr_PropertyNotWritable)
        expectEqual(
            units[2].set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32.max),
            kAudioUnitErr_InvalidPropertyValue)
        expectEqual(
            units[2].set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(64)), noErr)
        expectEqual(
            units[2].set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 63, to: Self.shorts), noErr
        )
    }

    private func sizeToGet(_ id: AudioUnitPropertyID, _ unit: PulledUnitRig) -> UInt32? {
        var size: UInt32 = 0
        let status = unsafe audioUnitGetPropertyInfo(unit.unit, id, kAudioUnitScope_Input, 0, &size, nil)
        return status == noErr ? size : nil
    }

    @Test("mix with the volume, switch and position of each input") func mixer() throws {
        let unit = try PulledUnitRig.mixer()
        defer { unit.end() }
        let sources = [CallbackSource(0.25), CallbackSource(0.5)]
        for (index, source) in sources.enumerated() {
            expectEqual(unit.setCallback(source, input: UInt32(index)), noErr)
        }
        unsafe expectEqual(audioUnitInitialize(unit.unit), noErr)
        expectEqual(unit.render(constant: 64), 0.75)
        func set(
            _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: Float
        ) -> OSStatus {
            unsafe audioUnitSetParameter(unit.unit, id, scope, bus, value, 0)
        }
        func get(_ id: AudioUnitParameterID, _ bus: UInt32 = 0) -> Float? {
            var value: Float = 0
            let status = unsafe audioUnitGetParameter(unit.unit, id, kAudioUnitScope_Input, bus, &value)
            return status == noErr ? value : nil
        }
        expectEqual(set(kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 2), noErr)
        expectEqual(set(kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 1, 0), noErr)
        expectEqual(set(kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, 0.5), noErr)
        _ = unit.render(512)
        expectEqual(unit.render(constant: 64), 0.25)
        expectEqual(set(kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, 1), noErr)
        _ = unit.render(512)
        expectEqual(unit.render(1).samples, [[0], [0.25]])
        #expect(get(kMultiChannelMixerParam_Volume) == 2 && get(kMultiChannelMixerParam_Enable, 1) == 0)
        #expect(get(kMultiChannelMixerParam_Pan) == 1 && get(kMultiChannelMixerParam_Pan, 1) == 0)
        let id = kAudioUnitProperty_MeteringMode
        try expectEqual(unit.get(id, kAudioUnitScope_Input, as: UInt32(1)), 0)
        expectEqual(unit.set(id, kAudioUnitScope_Input, to: UInt32(1)), noErr)
        expectEqual(get(kMultiChannelMixerParam_PostPeakHoldLevel), -120)
        _ = unit.render(512)
        #expect(abs((get(kMultiChannelMixerParam_PreAveragePower) ?? 0) + 12.04) < 0.01)
        #expect(abs((get(kMultiChannelMixerParam_PrePeakHoldLevel) ?? 0) + 12.04) < 0.01)
        expectEqual(get(kMultiChannelMixerParam_PostAveragePower), -120)
        #expect(abs((get(kMultiChannelMixerParam_PostAveragePower + 1) ?? 0) + 6.02) < 0.01)
        expectEqual(get(kMultiChannelMixerParam_PreAveragePower + 32), nil)
        expectEqual(
            set(kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, .nan),
            kAudioUnitErr_InvalidParameterValue)
        expectEqual(
            set(kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 8, 1), kAudioUnitErr_InvalidElement)
        expectEqual(
            set(kMultiChannelMixerParam_Volume, kAudioUnitScope_Group, 0, 1), kAudioUnitErr_InvalidScope)
        expectEqual(set(3, kAudioUnitScope_Input, 0, 1), kAudioUnitErr_InvalidParameter)
        expectEqual(
            set(kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0, 1),
            kAudioUnitErr_InvalidParameter)
    }

    @Test("take the parameters of a list of events") func events() throws {
        let unit = try PulledUnitRig.mixer()
        defer { unit.end() }
        var events = [AudioUnitParameterEvent(), AudioUnitParameterEvent()]
        for index in 0..<2 {
            events[index].scope = kAudioUnitScope_Input
            events[index].element = UInt32(index)
            events[index].parameter = kMultiChannelMixerParam_Volume
        }
        events[0].eventType = .parameterEvent_Immediate
        unsafe events[0].eventValues.immediate.value = 0.25
        events[1].eventType = .parameterEvent_Ramped
        unsafe events[1].eventValues.ramp.endValue = 0.5
        unsafe expectEqual(audioUnitScheduleParameters(unit.unit, events, 2), noErr)
        for (bus, expected) in [(0, 0.25), (1, 0.5)] as [(UInt32, Float)] {
            var value: Float = 0
            unsafe expectEqual(
                audioUnitGetParameter(
                    unit.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, &value), noErr)
            expectEqual(value, expected)
        }
    }

    @Test("include a stereo mixer, whose positions count from 0 to 1") func stereoMixer() throws {
        let unit = try PulledUnitRig(kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer)
        defer { unit.end() }
        let source = CallbackSource(0.5)
        let mono = AudioStreamBasicDescription.float(isInterleaved: false, channels: 1, sampleRate: 44_100)
        let id = kAudioUnitProperty_StreamFormat
        expectEqual(unit.set(id, kAudioUnitScope_Input, 1, to: mono), noErr)
        expectEqual(unit.set(id, kAudioUnitScope_Output, to: mono), kAudioUnitErr_FormatNotSupported)
        let six = AudioStreamBasicDescription.float(channels: 6, sampleRate: 44_100)
        expectEqual(unit.set(id, kAudioUnitScope_Input, 1, to: six), kAudioUnitErr_FormatNotSupported)
        expectEqual(unit.setCallback(source, input: 1), noErr)
        unsafe expectEqual(audioUnitInitialize(unit.unit), noErr)
        expectEqual(unit.render(constant: 64), 0.5)
        var pan: Float = 0
        unsafe expectEqual(
            audioUnitGetParameter(unit.unit, kStereoMixerParam_Pan, kAudioUnitScope_Input, 1, &pan), noErr)
        expectEqual(pan, 0.5)
        unsafe expectEqual(
            audioUnitSetParameter(unit.unit, kStereoMixerParam_Pan, kAudioUnitScope_Input, 1, 0, 0), noErr)
        unsafe expectEqual(
            audioUnitSetParameter(
                unit.unit, kStereoMixerParam_Volume, kAudioUnitScope_Output, 0, 0.5, 0), noErr)
        _ = unit.render(512)
        expectEqual(unit.render(2).samples, [[0.25, 0.25], [0, 0]])
    }

    @Test("change the rate and the pitch") func speed() throws {
        let varispeed = try PulledUnitRig(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
        let pitch = try PulledUnitRig(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch)
        defer { for unit in [varispeed, pitch] { unit.end() } }
        func set(_ unit: PulledUnitRig, _ id: AudioUnitParameterID, _ value: Float) -> OSStatus {
            unsafe audioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, value, 0)
        }
        func get(_ unit: PulledUnitRig, _ id: AudioUnitParameterID) -> Float? {
            var value: Float = 0
            let status = unsafe audioUnitGetParameter(unit.unit, id, kAudioUnitScope_Global, 0, &value)
            return status == noErr ? value : nil
        }
        expectEqual(set(varispeed, kVarispeedParam_PlaybackRate, 2), noErr)
        expectEqual(get(varispeed, kVarispeedParam_PlaybackCents), 1200)
        expectEqual(set(varispeed, kVarispeedParam_PlaybackCents, -1200), noErr)
        expectEqual(get(varispeed, kVarispeedParam_PlaybackRate), 0.5)
        expectEqual(set(pitch, kNewTimePitchParam_Rate, 2), noErr)
        expectEqual(set(pitch, kNewTimePitchParam_Pitch, 1200), noErr)
        #expect(get(pitch, kNewTimePitchParam_Rate) == 2 && get(pitch, kNewTimePitchParam_Pitch) == 1200)
        for (unit, rate) in [(varispeed, 0.5), (pitch, 2)] {
            expectEqual(set(unit, 7, 1), kAudioUnitErr_InvalidParameter)
            let source = CallbackSource(0.5)
            expectEqual(unit.setCallback(source), noErr)
            unsafe expectEqual(audioUnitInitialize(unit.unit), noErr)
            for _ in 0..<100 { expectEqual(unit.render(441).status, noErr) }
            // The stretcher reads ahead.
            let expected = Int(44_100 * rate)
            #expect(expected - 10...expected + 22_050 ~= source.frames, "\(source.frames)")
            #expect(abs((unit.render(441).samples.first?[200] ?? 0) - 0.5) < 0.01)
        }
    }

    @Test("inform observers and listeners") func observers() throws {
        let unit = try PulledUnitRig.output()
        defer { unit.end() }
        let heard = Counts()
        let context = unsafe Unmanaged.passUnretained(heard).toOpaque()
        let notify: AURenderCallback = { context, flags, _, _, _, _ in
            let heard = unsafe Unmanaged<Counts>.fromOpaque(context).takeUnretainedValue()
            let flags = unsafe flags.pointee
            if flags.contains(.unitRenderAction_PreRender) { heard.before.add(1, ordering: .relaxed) }
            if flags.contains(.unitRenderAction_PostRender) { heard.after.add(1, ordering: .relaxed) }
            return noErr
        }
        let listener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
            unsafe Unmanaged<Counts>.fromOpaque(context).takeUnretainedValue().changes.add(
                1, ordering: .relaxed)
        }
        let running = kAudioOutputUnitProperty_IsRunning
        unsafe expectEqual(audioUnitAddRenderNotify(unit.unit, notify, context), noErr)
        unsafe expectEqual(audioUnitAddPropertyListener(unit.unit, running, listener, context), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit.unit), kAudioUnitErr_Uninitialized)
        unsafe expectEqual(audioUnitInitialize(unit.unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit.unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit.unit), noErr)
        try expectEqual(unit.get(running, as: UInt32(0)), 1)
        expectEqual(unit.setCallback(CallbackSource(0)), noErr)
        _ = unit.setCallback(nil)
        _ = unit.render(8)
        unsafe expectEqual(audioUnitRemoveRenderNotify(unit.unit, notify, context), noErr)
        _ = unit.render(8)
        unsafe expectEqual(audioOutputUnitStop(unit.unit), noErr)
        #expect(heard.before.load(ordering: .relaxed) == 1 && heard.after.load(ordering: .relaxed) == 1)
        expectEqual(heard.changes.load(ordering: .relaxed), 2)
        let converter = try PulledUnitRig.converter()
        defer { converter.end() }
        unsafe expectEqual(audioOutputUnitStart(converter.unit), kAudioUnitErr_InvalidElement)
    }

    @Test("process in place, if they have no device") func process() throws {
        let mixer = try PulledUnitRig.mixer()
        let device = try PulledUnitRig(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
        defer { for unit in [mixer, device] { unit.end() } }
        unsafe expectEqual(audioUnitInitialize(mixer.unit), noErr)
        unsafe expectEqual(
            audioUnitSetParameter(
                mixer.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5, 0), noErr)
        var (left, right): ([Float], [Float]) = ([1, 2], [-1, -2])
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe free(list.unsafeMutablePointer) }
        var time = AudioTimeStamp()
        unsafe left.withUnsafeMutableBufferPointer { left in
            unsafe right.withUnsafeMutableBufferPointer { right in
                unsafe list[0] = unsafe AudioBuffer(left, numberOfChannels: 1)
                unsafe list[1] = unsafe AudioBuffer(right, numberOfChannels: 1)
                unsafe expectEqual(
                    audioUnitProcess(mixer.unit, nil, &time, 2, list.unsafeMutablePointer), noErr)
                unsafe expectEqual(
                    audioUnitProcess(device.unit, nil, &time, 2, list.unsafeMutablePointer),
                    kAudio_UnimplementedError)
            }
        }
        #expect(left == [0.5, 1] && right == [-0.5, -1])
        unsafe list[0].mData = nil
        unsafe expectEqual(
            audioUnitProcess(mixer.unit, nil, &time, 2, list.unsafeMutablePointer), kAudio_ParamError
        )
        unsafe expectEqual(audioUnitProcess(mixer.unit, nil, nil, 2, nil), kAudio_ParamError)
    }
}

/// The counts of calls.
private final class Counts: Sendable {
    let before = Atomic<Int>(0)
    let after = Atomic<Int>(0)
    let changes = Atomic<Int>(0)
}
