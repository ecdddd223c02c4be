// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// The properties of an I/O unit.
///
/// COMPAT: programs pass other scopes and elements than the documented ones, which is accepted where only one meaning is
/// possible.
extension IOUnitObject {
    func value(of property: UnitProperty) throws(UnitError) -> PropertyAnswer {
        switch property.id {
        case kAudioUnitProperty_StreamFormat: return .one(try format(at: property))
        case kAudioUnitProperty_SampleRate: return .one(try format(at: property).mSampleRate)
        case kAudioUnitProperty_MaximumFramesPerSlice: return .one(UInt32(clamping: engine.maximumFrames))
        case kAudioUnitProperty_ElementCount:
            return .one(UInt32(hasInput ? 2 : 1))
        case kAudioUnitProperty_Latency: return .one(Float64(0))
        case kAudioUnitProperty_SupportedNumChannels:
            return .many([AUChannelInfo(inChannels: -1, outChannels: -1)])
        case kAudioUnitProperty_AudioChannelLayout: return .bytes(try layout(at: property))
        case kAudioDevicePropertyPreferredChannelLayout:
            let scope = property.element == 1 ? kAudioUnitScope_Input : kAudioUnitScope_Output
            return .bytes(
                try layout(at: UnitProperty(kAudioUnitProperty_AudioChannelLayout, scope, property.element)))
        case kAudioUnitProperty_RenderQuality: return .one(settings.withLock { $0.renderQuality })
        case kAudioUnitProperty_LastRenderError: return .one(OSStatus(engine.lastRenderError))
        case kAudioUnitProperty_ShouldAllocateBuffer: return .one(UInt32(engine.lendsMemory ? 1 : 0))
        case kAudioOutputUnitProperty_EnableIO:
            return .one(UInt32(engine.isEnabled(try side(at: property)) ? 1 : 0))
        case kAudioOutputUnitProperty_HasIO:
            return .one(UInt32(engine.hasDevice(try side(at: property)) ? 1 : 0))
        case kAudioOutputUnitProperty_CurrentDevice: return .one(try currentDevice(at: property))
        case kAudioOutputUnitProperty_IsRunning: return .one(UInt32(engine.isRunning ? 1 : 0))
        case kAudioOutputUnitProperty_ChannelMap:
            return .many(try channelMap(try existingSide(at: property)).map { Int32(clamping: $0) })
        case kAudioOutputUnitProperty_StartTimestampsAtZero:
            return .one(settings.withLock { $0.startsAtZero })
        case kAudioDevicePropertyBufferFrameSize: return .one(UInt32(clamping: bufferFrames))
        case kAudioDevicePropertyBufferFrameSizeRange:
            return .one(
                AudioValueRange(
                    mMinimum: Float64(IOUnit.bufferFramesRange.lowerBound),
                    mMaximum: Float64(IOUnit.bufferFramesRange.upperBound)))
        case kAudioDevicePropertyBufferSize:
            let format = try format(at: property)
            return .one(UInt32(clamping: bufferFrames) &* format.mBytesPerFrame)
        // The host times of callbacks include all latency.
        case kAudioDevicePropertyLatency, kAudioDevicePropertySafetyOffset: return .one(UInt32(0))
        case kAudioDevicePropertyDeviceIsRunning: return .one(UInt32(engine.isRunning ? 1 : 0))
        default:
            if let answer = try voiceValue(of: property) { return answer }
            // Numbers of this size are four-character codes, which properties of units do not have.
            if property.id >= 1 << 24, sizeToSet(property) == nil { return try deviceValue(of: property) }
            throw UnitError(.invalidProperty, "no property \(property.id)")
        }
    }

    func sizeToSet(_ property: UnitProperty) -> Int? {
        switch property.id {
        case kAudioUnitProperty_SetRenderCallback, kAudioOutputUnitProperty_SetInputCallback:
            unsafe MemoryLayout<AURenderCallbackStruct>.size
        case kAudioUnitProperty_MakeConnection: unsafe MemoryLayout<AudioUnitConnection>.size
        case kAudioUnitProperty_PresentationLatency: MemoryLayout<Float64>.size
        case kAudioOutputUnitProperty_StartTime: MemoryLayout<AudioOutputUnitStartAtTimeParams>.size
        default: nil
        }
    }

    func isWritable(_ property: UnitProperty) -> Bool {
        switch property.id {
        case kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SampleRate: isClientSide(property)
        case kAudioUnitProperty_AudioChannelLayout: isClientSide(property)
        case kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitProperty_RenderQuality,
            kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitProperty_SetRenderCallback,
            kAudioUnitProperty_MakeConnection,
            kAudioUnitProperty_PresentationLatency, kAudioOutputUnitProperty_SetInputCallback,
            kAudioOutputUnitProperty_ChannelMap, kAudioOutputUnitProperty_StartTime,
            kAudioOutputUnitProperty_StartTimestampsAtZero,
            kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyBufferSize:
            true
        case kAudioOutputUnitProperty_EnableIO, kAudioOutputUnitProperty_CurrentDevice: hasInput
        default: isSettableOnDevice(property) || (processesVoice && VoiceSettings.isSetting(property.id))
        }
    }

    func set(_ property: UnitProperty, _ data: UnitPropertyData) throws(UnitError) {
        switch property.id {
        case kAudioUnitProperty_StreamFormat:
            try engine.setClientFormat(data.value(), try clientSide(at: property))
        case kAudioUnitProperty_SampleRate:
            let side = try clientSide(at: property)
            var format = engine.clientFormat(side)
            format.mSampleRate = try data.value()
            try engine.setClientFormat(format, side)
        case kAudioUnitProperty_SetRenderCallback: engine.setRenderCode(try data.renderCode())
        case kAudioOutputUnitProperty_SetInputCallback: engine.setInputCode(try data.renderCode())
        case kAudioUnitProperty_MakeConnection: try connect(data)
        case kAudioUnitProperty_MaximumFramesPerSlice:
            try engine.setMaximumFrames(Int(try data.value(as: UInt32.self)))
        case kAudioUnitProperty_AudioChannelLayout: try setLayout(data, try clientSide(at: property))
        case kAudioUnitProperty_RenderQuality:
            let quality: UInt32 = try data.value()
            guard quality <= 127 else { throw UnitError(.invalidPropertyValue, "no such quality") }
            settings.withLock { $0.renderQuality = quality }
        case kAudioUnitProperty_ShouldAllocateBuffer:
            try engine.setLendsMemory(try data.value(as: UInt32.self) != 0)
        // Audio is played at the times that the callbacks get, whatever the client shows.
        case kAudioUnitProperty_PresentationLatency: _ = try data.value(as: Float64.self)
        case kAudioOutputUnitProperty_EnableIO:
            let isOn = try data.value(as: UInt32.self) != 0
            try engine.setEnabled(isOn, try existingSide(at: property))
        case kAudioOutputUnitProperty_CurrentDevice: try setCurrentDevice(try data.value(), at: property)
        case kAudioOutputUnitProperty_ChannelMap:
            // COMPAT: mpv sets another value here, in the global scope, and ends if that fails.
            guard property.scope != kAudioUnitScope_Global else { return }
            try setChannelMap(data, try existingSide(at: property))
        case kAudioOutputUnitProperty_StartTime:
            let time = try data.value(as: AudioOutputUnitStartAtTimeParams.self).mTimestamp
            guard time.mFlags.contains(.hostTimeValid) else {
                throw UnitError(.invalidPropertyValue, "a start time without a host time")
            }
            engine.setStartTime(time.mHostTime)
        case kAudioOutputUnitProperty_StartTimestampsAtZero:
            let isOn: UInt32 = try data.value()
            settings.withLock { $0.startsAtZero = isOn }
        case kAudioDevicePropertyBufferFrameSize:
            try setBufferFrames(Int(try data.value(as: UInt32.self)))
        case kAudioDevicePropertyBufferSize:
            let bytes = Int(try data.value(as: UInt32.self))
            try setBufferFrames(bytes / max(1, Int(try format(at: property).mBytesPerFrame)))
        default:
            if try setVoice(property, data) { return }
            // Properties that can be read only, and those that do not exist.
            _ = try value(of: property)
            if isSettableOnDevice(property) { return try setDeviceValue(of: property, data) }
            throw UnitError(.propertyNotWritable, "property \(property.id) cannot be set")
        }
    }

    // MARK: Scopes and elements

    /// The direction of a property that belongs to a side's hardware or switch.
    private func side(at property: UnitProperty) throws(UnitError) -> IOUnit.Side {
        switch (property.scope, property.element) {
        case (kAudioUnitScope_Output, 0), (kAudioUnitScope_Input, 0), (kAudioUnitScope_Global, 0): .output
        case (kAudioUnitScope_Input, 1), (kAudioUnitScope_Output, 1), (kAudioUnitScope_Global, 1): .input
        case (...kAudioUnitScope_Output, _):
            throw UnitError(.invalidElement, "no element \(property.element)")
        default: throw UnitError(.invalidScope, "no scope \(property.scope)")
        }
    }

    /// The direction of a property, if the unit has it.
    private func existingSide(at property: UnitProperty) throws(UnitError) -> IOUnit.Side {
        let side = try side(at: property)
        guard hasInput || side == .output else { throw UnitError(.invalidElement, "no element 1") }
        return side
    }

    /// Whether a scope and element are the client's side of a bus.
    private func isClientSide(_ property: UnitProperty) -> Bool {
        property.element == 0
            ? property.scope == kAudioUnitScope_Input || property.scope == kAudioUnitScope_Global
            : property.element == 1 && property.scope == kAudioUnitScope_Output
    }

    private func clientSide(at property: UnitProperty) throws(UnitError) -> IOUnit.Side {
        let side = try existingSide(at: property)
        guard isClientSide(property) else {
            throw UnitError(.propertyNotWritable, "the side of the device cannot be set")
        }
        return side
    }

    // MARK: Values

    private func format(at property: UnitProperty) throws(UnitError) -> AudioStreamBasicDescription {
        let side = try existingSide(at: property)
        return isClientSide(property) ? engine.clientFormat(side) : try engine.deviceFormat(side)
    }

    private func layout(at property: UnitProperty) throws(UnitError) -> [UInt8] {
        let format = try format(at: property)
        let side = try side(at: property)
        var labels = isClientSide(property) ? engine.channelLabels(side) : []
        if labels.count != Int(format.mChannelsPerFrame) {
            labels = ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
        }
        return ChannelLayout(labels: labels).publishedBytes
    }

    private func setLayout(_ data: UnitPropertyData, _ side: IOUnit.Side) throws(UnitError) {
        let labels: [AudioChannelLabel]
        do throws(ChannelLayoutError) {
            labels = try unsafe ChannelLayout(copying: data.bytes).labels
        } catch {
            throw UnitError(.invalidPropertyValue, "no valid channel layout")
        }
        try engine.setChannelLabels(labels, side)
    }

    private func channelMap(_ side: IOUnit.Side) throws(UnitError) -> [Int] {
        if let map = engine.channelMap(side) { return map }
        return try engine.usualChannelMap(side)
    }

    private func setChannelMap(_ data: UnitPropertyData, _ side: IOUnit.Side) throws(UnitError) {
        let bytes = unsafe data.bytes.count
        let entryBytes = MemoryLayout<Int32>.size
        guard bytes % entryBytes == 0, bytes <= SampleFormat.maximumChannels * entryBytes else {
            throw UnitError(.invalidPropertyValue, "a channel map of \(bytes) bytes")
        }
        try engine.setChannelMap(
            data.isEmpty ? nil : data.values(as: Int32.self).map { Int($0) }, side)
    }
}
