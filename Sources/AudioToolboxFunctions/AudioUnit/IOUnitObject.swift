// SPDX-License-Identifier: MIT

import AudioDevices
import AudioUnits
import CAudioToolbox
import CoreAudioTypes

/// An I/O unit behind the published functions: RemoteIO, HALOutput, DefaultOutput and SystemOutput.
final class IOUnitObject: UnitObject {
    /// The settings that the engine does not know.
    struct Settings {
        /// The current devices by their names; nil follows the server's default.
        var sinkName: String?
        var sourceName: String?
        /// The number of the device that the client has set.
        var device: AudioObjectID?
        var renderQuality: UInt32 = 127
        var startsAtZero: UInt32 = 1
    }

    let engine: IOUnit
    let settings = Monitor(Settings())
    /// Whether the unit has an input, and a device that the client selects.
    let hasInput: Bool

    /// - Throws: The error of the devices, for example in a forked child.
    init(hasInput: Bool, role: StreamRole?) throws(DeviceError) {
        self.hasInput = hasInput
        let devices = QueueDevices.current
        engine = IOUnit(
            outputDevice: try devices.output(nil), inputDevice: hasInput ? try devices.input(nil) : nil)
        engine.setStreamProperties(name: nil, role: role)
    }

    /// Sets the code that is called after a property has changed.
    func setListener(_ code: @escaping @Sendable (UnitProperty) -> Void) {
        engine.setListener { change in
            for property in IOUnitObject.properties(of: change) { code(property) }
        }
    }

    /// The properties that a change concerns, with the scopes and elements that listeners get.
    private static func properties(of change: IOUnit.Change) -> [UnitProperty] {
        switch change {
        case .isRunning: [UnitProperty(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)]
        case .format(.output): [UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0)]
        case .format(.input): [UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1)]
        case .bufferFrames:
            [
                UnitProperty(kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Input, 0),
                UnitProperty(kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Output, 1),
            ]
        case .maximumFrames:
            [UnitProperty(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0)]
        case .device:
            [
                UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0),
                UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1),
            ]
        case .overload: [UnitProperty(kAudioDeviceProcessorOverload, kAudioUnitScope_Global, 0)]
        }
    }

    // MARK: UnitObject

    func initialize() throws(UnitError) { try engine.initialize() }
    func uninitialize() { engine.uninitialize() }
    func start() throws(UnitError) { try engine.start() }
    func stop() throws(UnitError) { engine.stop() }
    func reset() { engine.reset() }

    func dispose() {
        engine.setListener(nil)
        engine.end()
        engine.setRenderCode(nil)
        engine.setInputCode(nil)
    }

    func addRenderObserver(_ id: Int, _ code: RenderCode) { engine.addRenderObserver(id, code) }
    func removeRenderObserver(_ id: Int) { engine.removeRenderObserver(id) }

    @unsafe func render(
        _ actions: UnsafeMutablePointer<RenderActions>?, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) {
        try unsafe engine.render(bus: bus, frames: frames, into: list)
    }

    // MARK: Parameters

    func parameter(_ place: UnitProperty) throws(UnitError) -> Float {
        try checkVolume(place)
        return engine.volume
    }

    func setParameter(_ place: UnitProperty, _ value: Float, offset: Int) throws(UnitError) {
        try checkVolume(place)
        engine.setVolume(value)
    }

    private func checkVolume(_ place: UnitProperty) throws(UnitError) {
        guard place.id == kHALOutputParam_Volume else {
            throw UnitError(.invalidParameter, "no parameter \(place.id)")
        }
        guard place.scope <= kAudioUnitScope_Output else { throw UnitError(.invalidScope, "no such scope") }
        guard place.element <= 1 else { throw UnitError(.invalidElement, "no such element") }
    }
}
