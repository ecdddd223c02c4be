// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation
import Glibc
import AQThreads

/// The I/O unit of an engine, by the published functions, so that clients may use it too.
///
/// One operation at a time uses it, except where marked.
@safe final class EngineIO: @unchecked Sendable {
    // SAFETY: operations take turns; the unit of the last preparation is behind a lock.

    /// The most frames of a slice.
    static let maximumFrames = 4_096

    /// The work of the unit's thread.
    let slices = EngineSlices()
    /// Called after another device, or another format of a device.
    var changed: @Sendable () -> Void = {}
    /// Called after the unit has stopped, also by ``stop()``.
    var stopped: @Sendable () -> Void = {}

    @safe private struct Access {
        var unit: AudioUnit?
        var hasEnded = false
    }

    private let access = Monitor(Access())
    private(set) var isVoice = false
    private var isInitialized = false

    /// The unit, which is made at the first use. Any thread.
    func unit() throws -> AudioUnit {
        let (earlier, hasEnded) = unsafe access.withLock { unsafe ($0.unit, $0.hasEnded) }
        if let earlier = unsafe earlier { return unsafe earlier }
        // Nothing would dispose of another unit.
        guard !hasEnded else {
            throw AVAudioFailure.error(kAudioUnitErr_Uninitialized, "the engine has ended")
        }
        let made = unsafe try makeUnit(isVoice: isVoice)
        let used = unsafe access.withLock { access in
            if unsafe access.unit == nil, !access.hasEnded { unsafe access.unit = unsafe made }
            return unsafe access.unit
        }
        if unsafe used != made { unsafe AudioComponentInstanceDispose(made) }
        guard let used = unsafe used else {
            throw AVAudioFailure.error(kAudioUnitErr_Uninitialized, "the engine has ended")
        }
        return unsafe used
    }

    private func makeUnit(isVoice: Bool) throws -> AudioUnit {
        var description = AudioComponentDescription(
            componentType: kAudioUnitType_Output,
            componentSubType: isVoice ? kAudioUnitSubType_VoiceProcessingIO : kAudioUnitSubType_RemoteIO,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
        var unit: AudioUnit?
        guard let component = unsafe AudioComponentFindNext(nil, &description) else {
            throw AVAudioFailure.error(kAudioUnitErr_FailedInitialization, "no I/O unit")
        }
        try unsafe AVAudioFailure.check(AudioComponentInstanceNew(component, &unit), "make an I/O unit")
        guard let unit = unsafe unit else {
            throw AVAudioFailure.error(kAudioUnitErr_FailedInitialization, "no I/O unit")
        }
        unsafe observe(unit)
        return unsafe unit
    }

    private func observe(_ unit: AudioUnit) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe _ = AudioUnitAddPropertyListener(
            unit, kAudioUnitProperty_StreamFormat,
            { context, _, _, scope, element in
                // Only the sides of the devices: the others are the engine's own settings.
                guard
                    (scope, element) == (kAudioUnitScope_Output, 0)
                        || (scope, element) == (kAudioUnitScope_Input, 1)
                else { return }
                unsafe Unmanaged<EngineIO>.fromOpaque(context).takeUnretainedValue().changed()
            }, context)
        unsafe _ = AudioUnitAddPropertyListener(
            unit, kAudioOutputUnitProperty_IsRunning,
            { context, unit, _, _, _ in
                guard unsafe !EngineIO.isRunning(unit) else { return }
                unsafe Unmanaged<EngineIO>.fromOpaque(context).takeUnretainedValue().stopped()
            }, context)
    }

    /// Makes the next unit one with voice processing, or without. While nothing runs.
    ///
    /// - Throws: The error of the unit if its devices cannot be used.
    func setVoice(_ isVoice: Bool) throws {
        guard isVoice != self.isVoice else { return }
        let made = unsafe try makeUnit(isVoice: isVoice)
        if let earlier = unsafe access.withLock({ unsafe $0.unit }) {
            unsafe EngineDevices.copyChoices(from: earlier, to: made)
        }
        if isVoice {
            do {
                try unsafe initialize(made, isVoice: true, "process voice")
            } catch {
                unsafe AudioComponentInstanceDispose(made)
                throw error
            }
            unsafe AudioUnitUninitialize(made)
        }
        close()
        self.isVoice = isVoice
        access.withLock { unsafe $0.unit = unsafe made }
    }

    /// Initializes a unit. If the server cannot cancel echo, the unit captures unprocessed audio, which is reported.
    ///
    /// - Throws: The error of the unit if its devices cannot be used.
    private func initialize(_ unit: AudioUnit, isVoice: Bool, _ attempt: String) throws {
        let status = unsafe AudioUnitInitialize(unit)
        if status == noErr { return }
        var isBypassed: UInt32 = 1
        let size = UInt32(MemoryLayout<UInt32>.size)
        guard isVoice,
            unsafe AudioUnitSetProperty(
                unit, kAUVoiceIOProperty_BypassVoiceProcessing, kAudioUnitScope_Global, 0, &isBypassed, size)
                == noErr,
            unsafe AudioUnitInitialize(unit) == noErr
        else { return try AVAudioFailure.check(status, attempt) }
        MisuseNote.write("the sound server cannot cancel echo: the microphone is recorded unprocessed")
    }

    // MARK: Formats

    /// The formats of the devices that the unit uses, or would use. Any thread.
    func hardware() -> EngineHardware {
        EngineHardware(
            output: try? deviceFormat(kAudioUnitScope_Output, 0),
            input: try? deviceFormat(kAudioUnitScope_Input, 1))
    }

    private func deviceFormat(_ scope: UInt32, _ element: UInt32) throws -> GraphFormat {
        var format = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try unsafe AVAudioFailure.check(
            AudioUnitGetProperty(unit(), kAudioUnitProperty_StreamFormat, scope, element, &format, &size),
            "read the format of a device")
        guard format.mSampleRate > 0, 1...UInt32(EngineSlices.mostChannels) ~= format.mChannelsPerFrame else {
            throw AVAudioFailure.error(kAudioUnitErr_FormatNotSupported, "the device has no format")
        }
        return GraphFormat(sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
    }

    var outputLatency: TimeInterval {
        var frames: UInt32 = 0
        var size: UInt32 = 4
        guard let unit = unsafe access.withLock({ unsafe $0.unit }), let format = hardware().output,
            unsafe AudioUnitGetProperty(
                unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, &size) == noErr
        else { return 0 }
        return 2 * Double(frames) / format.sampleRate
    }

    // MARK: Life

    /// Makes the unit ready for the directions, and returns the formats of its devices.
    func prepare(_ usage: EngineUsage) throws -> EngineHardware {
        let unit = unsafe try unit()
        if isInitialized {
            unsafe AudioUnitUninitialize(unit)
            isInitialized = false
        }
        try unsafe set(
            unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0,
            UInt32(usage.usesOutput || isVoice ? 1 : 0))
        try unsafe set(
            unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1,
            UInt32(usage.usesInput || isVoice ? 1 : 0))
        try unsafe set(
            unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0,
            UInt32(Self.maximumFrames))
        let hardware = hardware()
        if usage.usesOutput {
            guard let output = hardware.output else {
                throw AVAudioFailure.error(
                    kAudioHardwareBadDeviceError, "cannot start the engine: no output device")
            }
            try unsafe set(
                unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, Self.description(output))
        }
        if usage.usesInput {
            guard let input = hardware.input else {
                throw AVAudioFailure.error(
                    kAudioHardwareBadDeviceError, "cannot start the engine: no input device")
            }
            try unsafe set(
                unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, Self.description(input))
        }
        try unsafe setCallbacks(unit, usage)
        try unsafe initialize(unit, isVoice: isVoice, "start the engine")
        isInitialized = true
        return hardware
    }

    private static func description(_ format: GraphFormat) -> AudioStreamBasicDescription {
        .float(isInterleaved: false, channels: format.channels, sampleRate: format.sampleRate)
    }

    private func set<Value: BitwiseCopyable>(
        _ unit: AudioUnit, _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Value
    ) throws {
        var value = value
        try unsafe AVAudioFailure.check(
            AudioUnitSetProperty(unit, property, scope, element, &value, UInt32(MemoryLayout<Value>.size)),
            "prepare the engine")
    }

    func start() throws {
        try unsafe AVAudioFailure.check(AudioOutputUnitStart(unit()), "start the engine")
    }

    var isRunning: Bool {
        guard let unit = unsafe access.withLock({ unsafe $0.unit }) else { return false }
        return unsafe Self.isRunning(unit)
    }

    private static func isRunning(_ unit: AudioUnit) -> Bool {
        var isRunning: UInt32 = 0
        var size: UInt32 = 4
        let status = unsafe AudioUnitGetProperty(
            unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &isRunning, &size)
        return status == noErr && isRunning != 0
    }

    /// Stops, and returns when nothing is rendered any more.
    func stop() {
        guard let unit = unsafe access.withLock({ unsafe $0.unit }) else { return }
        unsafe _ = AudioOutputUnitStop(unit)
    }

    /// Leaves the devices.
    func release() {
        guard isInitialized, let unit = unsafe access.withLock({ unsafe $0.unit }) else { return }
        unsafe _ = AudioUnitUninitialize(unit)
        isInitialized = false
    }

    /// Disposes of the unit for good.
    func end() {
        access.withLock { $0.hasEnded = true }
        close()
    }

    func close() {
        release()
        let unit = unsafe access.withLock { access in
            defer { unsafe access.unit = nil }
            return unsafe access.unit
        }
        if let unit = unsafe unit { unsafe _ = AudioComponentInstanceDispose(unit) }
    }

    // MARK: Callbacks

    private func setCallbacks(_ unit: AudioUnit, _ usage: EngineUsage) throws {
        unsafe slices.prepare(unit, usage)
        let context = unsafe Unmanaged.passUnretained(slices).toOpaque()
        let output = unsafe AURenderCallbackStruct(
            inputProc: { context, _, time, _, frames, list in
                guard let list = unsafe list else { return kAudio_ParamError }
                return unsafe Unmanaged<EngineSlices>.fromOpaque(context).takeUnretainedValue().output(
                    time.pointee, Int(frames), UnsafeMutableAudioBufferListPointer(list))
            }, inputProcRefCon: context)
        try unsafe set(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, output)
        guard usage.usesInput else { return }
        let input = unsafe AURenderCallbackStruct(
            inputProc: { context, _, time, _, frames, _ in
                unsafe Unmanaged<EngineSlices>.fromOpaque(context).takeUnretainedValue().input(
                    time.pointee, Int(frames))
            }, inputProcRefCon: context)
        try unsafe set(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, input)
    }
}
