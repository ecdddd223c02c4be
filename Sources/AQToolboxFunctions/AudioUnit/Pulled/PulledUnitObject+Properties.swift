// SPDX-License-Identifier: MIT

import AQDevices
import AQCodecs
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// The properties of a unit without a device.
extension PulledUnitObject {
    func value(of property: UnitProperty) throws(UnitError) -> PropertyAnswer {
        switch property.id {
        case kAudioUnitProperty_StreamFormat: return .one(try engine.format(try bus(at: property)))
        case kAudioUnitProperty_SampleRate:
            return .one(try engine.format(try bus(at: property)).mSampleRate)
        case kAudioUnitProperty_AudioChannelLayout:
            let labels = try engine.channelLabels(try bus(at: property))
            return .bytes(ChannelLayout(labels: labels).publishedBytes)
        case kAudioUnitProperty_ElementCount:
            guard property.scope <= kAudioUnitScope_Output else { throw Self.noScope(property) }
            return .one(UInt32(property.scope == kAudioUnitScope_Input ? engine.inputCount : 1))
        case kAudioUnitProperty_MaximumFramesPerSlice: return .one(UInt32(clamping: engine.maximumFrames))
        // The conversion of rates removes its delay, and no audio follows the end of the input.
        case kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime: return .one(Float64(0))
        case kAudioUnitProperty_SupportedNumChannels: return .many(supportedChannels)
        case kAudioUnitProperty_RenderQuality: return .one(settings.withLock { $0.renderQuality })
        case kAudioUnitProperty_LastRenderError: return .one(OSStatus(engine.lastRenderError))
        case kAudioUnitProperty_ShouldAllocateBuffer: return .one(UInt32(engine.lendsMemory ? 1 : 0))
        case kAudioUnitProperty_OfflineRender: return .one(settings.withLock { $0.rendersOffline })
        case kAudioUnitProperty_MeteringMode where kind.isMixer:
            return .one(UInt32(try engine.isMetering(try bus(at: property)) ? 1 : 0))
        case kAudioOutputUnitProperty_IsRunning where kind == .genericOutput:
            return .one(UInt32(settings.withLock { $0.isRunning } ? 1 : 0))
        default: throw UnitError(.invalidProperty, "no property \(property.id)")
        }
    }

    func sizeToSet(_ property: UnitProperty) -> Int? {
        switch property.id {
        case kAudioUnitProperty_SetRenderCallback: unsafe MemoryLayout<AURenderCallbackStruct>.size
        case kAudioUnitProperty_MakeConnection: unsafe MemoryLayout<AudioUnitConnection>.size
        case kAudioUnitProperty_PresentationLatency: MemoryLayout<Float64>.size
        default: nil
        }
    }

    func isWritable(_ property: UnitProperty) -> Bool {
        switch property.id {
        case kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SampleRate,
            kAudioUnitProperty_AudioChannelLayout, kAudioUnitProperty_MaximumFramesPerSlice,
            kAudioUnitProperty_RenderQuality, kAudioUnitProperty_ShouldAllocateBuffer,
            kAudioUnitProperty_OfflineRender, kAudioUnitProperty_SetRenderCallback,
            kAudioUnitProperty_MakeConnection, kAudioUnitProperty_PresentationLatency,
            kAudioUnitProperty_MeteringMode:
            true
        case kAudioUnitProperty_ElementCount: kind.isMixer && property.scope == kAudioUnitScope_Input
        default: false
        }
    }

    func set(_ property: UnitProperty, _ data: UnitPropertyData) throws(UnitError) {
        switch property.id {
        case kAudioUnitProperty_StreamFormat: try setFormat(data.value(), try bus(at: property))
        case kAudioUnitProperty_SampleRate:
            let bus = try bus(at: property)
            var format = try engine.format(bus)
            format.mSampleRate = try data.value()
            try setFormat(format, bus)
        case kAudioUnitProperty_AudioChannelLayout: try setLayout(data, try bus(at: property))
        case kAudioUnitProperty_SetRenderCallback:
            try engine.setSource(try data.renderCode(), input: Int(property.element))
        case kAudioUnitProperty_MakeConnection: try connect(data, at: property)
        case kAudioUnitProperty_ElementCount:
            let count: UInt32 = try data.value()
            if property.scope == kAudioUnitScope_Input {
                try engine.setInputCount(Int(count))
            } else {
                _ = try value(of: property)
                throw UnitError(.propertyNotWritable, "the number of outputs cannot be set")
            }
        case kAudioUnitProperty_MaximumFramesPerSlice:
            try engine.setMaximumFrames(Int(try data.value(as: UInt32.self)))
        case kAudioUnitProperty_RenderQuality:
            let quality: UInt32 = try data.value()
            guard quality <= 127 else { throw UnitError(.invalidPropertyValue, "no such quality") }
            try engine.setRateQuality(RateQuality(atMost: quality))
            settings.withLock { $0.renderQuality = quality }
        case kAudioUnitProperty_ShouldAllocateBuffer:
            let isOn: UInt32 = try data.value()
            try engine.setLendsMemory(isOn != 0)
        // Renders are the same whether the client waits for them or not.
        case kAudioUnitProperty_OfflineRender:
            let isOn: UInt32 = try data.value()
            settings.withLock { $0.rendersOffline = isOn }
        case kAudioUnitProperty_PresentationLatency: _ = try data.value(as: Float64.self)
        case kAudioUnitProperty_MeteringMode where kind.isMixer:
            let isOn: UInt32 = try data.value()
            try engine.setMetering(isOn != 0, try bus(at: property))
        default:
            // Properties that can be read only, and those that do not exist.
            _ = try value(of: property)
            throw UnitError(.propertyNotWritable, "property \(property.id) cannot be set")
        }
        changed(property)
    }

    /// The bus of a property or parameter.
    func bus(at place: UnitProperty) throws(UnitError) -> PulledUnit.Bus {
        switch place.scope {
        case kAudioUnitScope_Input: return .input(Int(place.element))
        case kAudioUnitScope_Output:
            guard place.element == 0 else {
                throw UnitError(.invalidElement, "no output \(place.element)")
            }
            return .output
        default: throw Self.noScope(place)
        }
    }

    private static func noScope(_ place: UnitProperty) -> UnitError {
        UnitError(.invalidScope, "no scope \(place.scope)")
    }

    private var supportedChannels: [AUChannelInfo] {
        kind == .stereoMixer
            ? [
                AUChannelInfo(inChannels: 1, outChannels: 2), AUChannelInfo(inChannels: 2, outChannels: 2),
            ] : [AUChannelInfo(inChannels: -1, outChannels: -1)]
    }

    private func setLayout(_ data: UnitPropertyData, _ bus: PulledUnit.Bus) throws(UnitError) {
        let labels: [AudioChannelLabel]
        do throws(ChannelLayoutError) {
            labels = try unsafe ChannelLayout(copying: data.bytes).labels
        } catch {
            throw UnitError(.invalidPropertyValue, "no valid channel layout")
        }
        try engine.setChannelLabels(labels, bus)
    }
}
