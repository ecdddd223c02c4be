// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

@Suite("Properties of AudioQueue.h") struct QueuePropertyTests {
    private func get<Value: BitwiseCopyable>(
        _ property: AudioQueuePropertyID, of queue: AudioQueueRef, into value: inout Value
    ) -> OSStatus {
        var size = UInt32(MemoryLayout<Value>.size)
        let status = unsafe audioQueueGetProperty(queue, property, &value, &size)
        #expect(status != noErr || size == UInt32(MemoryLayout<Value>.size))
        return status
    }

    @Test("an unknown property is an invalid one, for every function") func unknown() throws {
        let rig = try QueueRig()
        let unknown: AudioQueuePropertyID = 0x3F3F_3F3F
        var word: UInt32 = 4
        let expected = kAudioQueueErr_InvalidProperty
        unsafe expectEqual(get(unknown, of: rig.queue, into: &word), expected)
        unsafe expectEqual(audioQueueGetPropertySize(rig.queue, unknown, &word), expected)
        unsafe expectEqual(audioQueueSetProperty(rig.queue, unknown, &word, 4), expected)
        unsafe expectEqual(audioQueueAddPropertyListener(rig.queue, unknown, recordChange, nil), expected)
        unsafe expectEqual(audioQueueRemovePropertyListener(rig.queue, unknown, recordChange, nil), expected)
    }

    @Test(
        "sizes are those published",
        arguments: [
            (kAudioQueueProperty_IsRunning, 4), (kAudioQueueDeviceProperty_SampleRate, 8),
            (kAudioQueueDeviceProperty_NumberChannels, 4), (kAudioQueueProperty_CurrentDevice, 8),
            (kAudioQueueProperty_MaximumOutputPacketSize, 4), (kAudioQueueProperty_StreamDescription, 40),
            (kAudioQueueProperty_ChannelLayout, 32), (kAudioQueueProperty_EnableLevelMetering, 4),
            (kAudioQueueProperty_CurrentLevelMeter, 16), (kAudioQueueProperty_CurrentLevelMeterDB, 16),
            (kAudioQueueProperty_DecodeBufferSizeFrames, 4), (kAudioQueueProperty_ConverterError, 4),
            (kAudioQueueProperty_EnableTimePitch, 4), (kAudioQueueProperty_TimePitchAlgorithm, 4),
            (kAudioQueueProperty_TimePitchBypass, 4), (kAudioQueueProperty_ChannelAssignments, 32),
            (kAudioQueueProperty_HardwareCodecPolicy, 4),
        ] as [(AudioQueuePropertyID, UInt32)])
    func sizes(property: AudioQueuePropertyID, bytes: UInt32) throws {
        let rig = try QueueRig(format: .signedInteger(bits: 16, channels: 2, sampleRate: 44_100))
        var size: UInt32 = 0
        unsafe expectEqual(audioQueueGetPropertySize(rig.queue, property, &size), noErr)
        expectEqual(size, bytes)
    }

    @Test("too little room and other sizes are refused, and nothing is written") func wrongSizes() throws {
        let rig = try QueueRig()
        var word: UInt32 = 77
        var size: UInt32 = 3
        let expected = kAudioQueueErr_InvalidPropertySize
        let running = kAudioQueueProperty_IsRunning
        unsafe expectEqual(audioQueueGetProperty(rig.queue, running, &word, &size), expected)
        #expect(word == 77 && size == 3)
        let metering = kAudioQueueProperty_EnableLevelMetering
        unsafe expectEqual(audioQueueSetProperty(rig.queue, metering, &word, 3), expected)
        unsafe expectEqual(audioQueueSetProperty(rig.queue, metering, &word, 8), expected)
        unsafe expectEqual(audioQueueSetProperty(rig.queue, metering, nil, 4), kAudio_ParamError)
    }

    @Test("the format is read by the queue's identifier and by the converter's") func format() throws {
        let rig = try QueueRig()
        let recording = try QueueCaptureRig()
        // Guides name different ones of these for the format of a recorder's file.
        let properties = [
            kAudioQueueProperty_StreamDescription, kAudioConverterCurrentInputStreamDescription,
            kAudioConverterCurrentOutputStreamDescription,
        ]
        for property in properties {
            var (played, recorded) = (AudioStreamBasicDescription(), AudioStreamBasicDescription())
            unsafe expectEqual(get(property, of: rig.queue, into: &played), noErr)
            unsafe expectEqual(get(property, of: recording.queue, into: &recorded), noErr)
            #expect(played.isSame(as: QueueRig.mono) && recorded.isSame(as: QueueRig.mono))
        }
        var bytes: UInt32 = 0
        let property = kAudioConverterPropertyMaximumOutputPacketSize
        unsafe expectEqual(get(property, of: rig.queue, into: &bytes), noErr)
        expectEqual(bytes, 2)
    }

    @Test("properties of the converter are those of each direction", arguments: [false, true])
    func converter(isInput: Bool) throws {
        let playback = try isInput ? nil : QueueRig()
        let recording = try isInput ? QueueCaptureRig() : nil
        guard let queue = unsafe playback?.queue ?? recording?.queue else { return }
        let expected: [(AudioQueuePropertyID, UInt32?)] = [
            (kAudioQueueProperty_ConverterError, 4), (kAudioQueueProperty_StreamDescription, 40),
            (kAudioConverterCurrentInputStreamDescription, 40),
            (kAudioConverterCurrentOutputStreamDescription, 40),
            (kAudioConverterPropertyMaximumOutputPacketSize, 4), (kAudioQueueProperty_ChannelLayout, 32),
            (kAudioQueueProperty_MagicCookie, nil), (kAudioConverterCompressionMagicCookie, nil),
        ]
        var size: UInt32 = 0
        for (property, bytes) in expected {
            let status = unsafe audioQueueGetPropertySize(queue, property, &size)
            expectEqual(status, (bytes == nil ? kAudioQueueErr_InvalidProperty : noErr), "\(property)")
            if let bytes { expectEqual(size, bytes, "\(property)") }
        }
        for (property, ofInputs) in [
            (kAudioQueueProperty_DecodeBufferSizeFrames, false), (kAudioConverterPrimeInfo, true),
        ] {
            let status = unsafe audioQueueGetPropertySize(queue, property, &size)
            expectEqual(
                status, (ofInputs == isInput ? noErr : kAudioQueueErr_InvalidQueueType), "\(property)")
        }
        var format = QueueRig.mono
        for property in [
            kAudioConverterCurrentInputStreamDescription, kAudioConverterCurrentOutputStreamDescription,
        ] {
            #expect(unsafe audioQueueSetProperty(queue, property, &format, 40) != noErr)
        }
        var error: UInt32 = 1
        unsafe expectEqual(get(kAudioQueueProperty_ConverterError, of: queue, into: &error), noErr)
        expectEqual(error, 0)
        withExtendedLifetime((playback, recording)) {}
    }

    @Test("linear PCM has no magic cookie") func cookie() throws {
        let rig = try QueueRig()
        var size: UInt32 = 0
        for property in [kAudioQueueProperty_MagicCookie, kAudioConverterCompressionMagicCookie] {
            let status = unsafe audioQueueGetPropertySize(rig.queue, property, &size)
            expectEqual(status, kAudioQueueErr_InvalidProperty)
        }
    }

    @Test("meters are silent until they are enabled, in both units") func silentMeters() throws {
        let rig = try QueueRig()
        var level = AudioQueueLevelMeterState()
        unsafe expectEqual(get(kAudioQueueProperty_CurrentLevelMeter, of: rig.queue, into: &level), noErr)
        #expect(level.mAveragePower == 0 && level.mPeakPower == 0)
        unsafe expectEqual(get(kAudioQueueProperty_CurrentLevelMeterDB, of: rig.queue, into: &level), noErr)
        #expect(level.mAveragePower == -160 && level.mPeakPower == -160)
        var isOn: UInt32 = 1
        let enable = kAudioQueueProperty_EnableLevelMetering
        unsafe expectEqual(audioQueueSetProperty(rig.queue, enable, &isOn, 4), noErr)
        isOn = 0
        unsafe expectEqual(get(enable, of: rig.queue, into: &isOn), noErr)
        expectEqual(isOn, 1)
    }

    @Test(
        "decibels are of full scale",
        arguments: [(1, 0), (0.1, -20), (0, -160), (1e-12, -160)] as [(Float, Float)])
    func decibels(level: Float, expected: Float) {
        #expect(abs(QueueProperty.decibels(level) - expected) < 1e-4)
    }

    @Test("the channel layout is that of the format, and must match it") func layout() throws {
        let rig = try QueueRig()
        var layout = AudioChannelLayout()
        let property = kAudioQueueProperty_ChannelLayout
        unsafe expectEqual(get(property, of: rig.queue, into: &layout), noErr)
        expectEqual(layout.mChannelLayoutTag, kAudioChannelLayoutTag_Mono)
        unsafe expectEqual(audioQueueSetProperty(rig.queue, property, &layout, 32), noErr)
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        let status = unsafe audioQueueSetProperty(rig.queue, property, &layout, 32)
        expectEqual(status, kAudioQueueErr_InvalidPropertyValue)
        let short = unsafe audioQueueSetProperty(rig.queue, property, &layout, 11)
        expectEqual(short, kAudioQueueErr_InvalidPropertySize)
    }

    @Test("the device's name must be released by the caller, and an unknown one is refused")
    func device() throws {
        let rig = try QueueRig()
        var address: UInt = 0
        let property = kAudioQueueProperty_CurrentDevice
        unsafe expectEqual(get(property, of: rig.queue, into: &address), noErr)
        let pointer = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: address))
        let name = unsafe Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue()
        #expect(["manual", "speaker"].contains(HardwareText.read(name) ?? ""))
        let unknown = try #require(AudioFileObject.string("nobody"))
        var value = UInt(bitPattern: unsafe Unmanaged.passUnretained(unknown).toOpaque())
        let status = unsafe audioQueueSetProperty(rig.queue, property, &value, 8)
        expectEqual(status, kAudioQueueErr_InvalidDevice)
    }

    @Test("hardware codecs: every policy is accepted that does not require them") func codecPolicy() throws {
        let rig = try QueueRig()
        let property = kAudioQueueProperty_HardwareCodecPolicy
        var policy: UInt32 = kAudioQueueHardwareCodecPolicy_PreferHardware
        unsafe expectEqual(audioQueueSetProperty(rig.queue, property, &policy, 4), noErr)
        var read: UInt32 = 0
        unsafe expectEqual(get(property, of: rig.queue, into: &read), noErr)
        expectEqual(read, policy)
        policy = 5
        let status = unsafe audioQueueSetProperty(rig.queue, property, &policy, 4)
        expectEqual(status, kAudioQueueErr_InvalidPropertyValue)
    }

    @Test("a removed listener is not called; one added twice is removed once")
    func listeners() throws {
        let rig = try QueueRig()
        let running = kAudioQueueProperty_IsRunning
        let data = unsafe rig.record.userData
        for _ in 0..<2 {
            unsafe expectEqual(audioQueueAddPropertyListener(rig.queue, running, recordChange, data), noErr)
        }
        unsafe expectEqual(audioQueueRemovePropertyListener(rig.queue, running, recordChange, data), noErr)
        // Other user data, and so another listener.
        unsafe expectEqual(audioQueueRemovePropertyListener(rig.queue, running, recordChange, nil), noErr)
        try unsafe rig.enqueue(frames: 100, from: 1)
        try rig.start()
        #expect(eventually { rig.record.properties == [running] })
        unsafe expectEqual(audioQueueRemovePropertyListener(rig.queue, running, recordChange, data), noErr)
        unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        expectEqual(rig.record.properties, [running])
    }

    @Test("the latency goal is set by number while the queue is stopped, and follows the buffers at first")
    func latency() throws {
        let rig = try QueueRig()
        let property = QueueProperty.latencyIdentifier
        var value: UInt32 = 9
        var size: UInt32 = 4
        unsafe expectEqual(audioQueueGetProperty(rig.queue, property, &value, &size), noErr)
        expectEqual(value, 0)
        for goal in UInt32(0)...5 {
            value = goal
            let status = unsafe audioQueueSetProperty(rig.queue, property, &value, 4)
            expectEqual(status, (goal < 5 ? noErr : kAudioQueueErr_InvalidPropertyValue))
        }
        unsafe expectEqual(audioQueueGetProperty(rig.queue, property, &value, &size), noErr)
        expectEqual(value, 4)
        try rig.start()
        unsafe expectEqual(
            audioQueueSetProperty(rig.queue, property, &value, 4), kAudioQueueErr_InvalidRunState)
    }

    @Test("parameters out of range count as the nearest valid value") func parameters() throws {
        let rig = try QueueRig()
        var value: Float = 9
        unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_Volume, &value), noErr)
        expectEqual(value, 1)
        for (set, expected) in [(0.25, 0.25), (7, 1), (-1, 0), (.nan, 0)] as [(Float, Float)] {
            unsafe expectEqual(audioQueueSetParameter(rig.queue, kAudioQueueParam_Volume, set), noErr)
            unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_Volume, &value), noErr)
            expectEqual(value, expected)
        }
        unsafe expectEqual(audioQueueSetParameter(rig.queue, kAudioQueueParam_VolumeRampTime, -3), noErr)
        unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_VolumeRampTime, &value), noErr)
        expectEqual(value, 0)
        unsafe expectEqual(audioQueueGetParameter(rig.queue, 99, &value), kAudioQueueErr_InvalidParameter)
        unsafe expectEqual(audioQueueSetParameter(rig.queue, 99, 0), kAudioQueueErr_InvalidParameter)
        unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_Volume, nil), kAudio_ParamError)
    }

    @Test("a buffer's volume uses the latest ramp set before it") func events() throws {
        let rig = try QueueRig()
        let object = try #require(unsafe AudioQueueObject.table[rig.queue])
        let events = object.events(of: [
            .volume(0.5), .volumeRamp(seconds: 2), .volume(1), .pan(-1), .pitch(cents: 100), .playRate(2),
        ])
        expectEqual(
            events,
            [
                .volume(0.5, rampSeconds: 0), .volume(1, rampSeconds: 2), .pan(-1), .pitch(cents: 100),
                .playRate(2),
            ])
        var ramp: Float = 0
        unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_VolumeRampTime, &ramp), noErr)
        expectEqual(ramp, 2)
    }
}
