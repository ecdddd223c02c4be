// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// An I/O unit behind the published functions: RemoteIO, HALOutput, VoiceProcessingIO, DefaultOutput and
/// SystemOutput.
final class IOUnitObject: UnitObject {
    /// The settings that the engine does not know.
    struct Settings {
        /// The current devices by their names; nil follows the server's default.
        var sinkName: String?
        var sourceName: String?
        /// The microphone that the session prefers, at the last initialization; nil for none.
        var sessionSource: String?
        /// The number of the device that the client has set.
        var device: AudioObjectID?
        /// Whether the client has set the length of slices for this unit.
        var hasOwnBufferFrames = false
        /// Of a unit of the session, the number of the microphone that the client has set.
        var microphone: AudioObjectID?
        var renderQuality: UInt32 = 127
        var startsAtZero: UInt32 = 1
        var voice = VoiceSettings()
    }

    /// The behaviour of a component.
    enum Kind {
        case halOutput
        /// Uses the settings of the audio session.
        case remoteIO
        /// As `remoteIO`, with both directions enabled, and echo cancelled.
        case voiceProcessing
        case defaultOutput, systemOutput
    }

    let engine: IOUnit
    let settings = Monitor(Settings())
    let devices = UnitDevices(Hardware.shared)
    private let kind: Kind
    let deviceMakers = QueueDevices.current
    /// Whether the unit has an input, and a device that the client selects.
    var hasInput: Bool { kind != .defaultOutput && kind != .systemOutput }
    /// Whether the unit uses the settings of the audio session.
    var followsSession: Bool { kind == .remoteIO || kind == .voiceProcessing }
    var processesVoice: Bool { kind == .voiceProcessing }

    /// - Throws: The error of the devices, for example in a forked child.
    init(_ kind: Kind) throws(DeviceError) {
        self.kind = kind
        let hasInput = kind != .defaultOutput && kind != .systemOutput
        engine = IOUnit(
            outputDevice: try deviceMakers.output(nil),
            inputDevice: hasInput ? try deviceMakers.input(nil) : nil,
            voiceProcessor: kind == .voiceProcessing ? deviceMakers.voiceProcessor(nil, nil) : nil)
        if kind == .voiceProcessing {
            // A new unit is not initialized, so this cannot fail.
            try? engine.setEnabled(true, .input)
        }
        if followsSession {
            engine.setPreferredBufferFrames { sampleRate in
                let settings = AudioSession.shared.settings
                return settings.preferredIOBufferSeconds > 0
                    ? settings.ioBufferFrames(sampleRate: sampleRate) : nil
            }
        }
    }

    /// The roles of streams that are made now.
    var roles: (playback: StreamRole?, recording: StreamRole?) {
        switch kind {
        case .systemOutput: return (.event, nil)
        case .voiceProcessing: return (.phone, .phone)
        case .remoteIO:
            let settings = AudioSession.shared.settings
            return settings.playbackRole.map { ($0, settings.recordingRole) } ?? (nil, nil)
        case .halOutput, .defaultOutput: return (nil, nil)
        }
    }

    /// Sets the code that is called after a property has changed.
    func setListener(_ code: @escaping @Sendable (UnitProperty) -> Void) {
        engine.setListener { [devices, weak engine] change in
            if let engine { devices.handle(change, of: engine) }
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
                UnitProperty(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0),
                UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0),
                UnitProperty(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1),
            ]
        case .overload: [UnitProperty(kAudioDeviceProcessorOverload, kAudioUnitScope_Global, 0)]
        }
    }

    // MARK: UnitObject

    func initialize() throws(UnitError) {
        try adoptBufferFrames()
        try adoptSession()
        try engine.initialize()
    }

    func uninitialize() { engine.uninitialize() }
    func start() throws(UnitError) { try engine.start() }
    func stop() throws(UnitError) { engine.stop() }
    func reset() { engine.reset() }
    func clearLastRenderError() { _ = engine.takeLastRenderError() }

    func dispose() {
        engine.setListener(nil)
        engine.end()
        devices.end()
        engine.setRenderCode(nil)
        engine.setInputCode(nil)
    }

    func addRenderObserver(_ id: Int, _ code: RenderCode) { engine.addRenderObserver(id, code) }
    func removeRenderObserver(_ id: Int) { engine.removeRenderObserver(id) }

    @unsafe func render(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        try unsafe engine.render(bus: bus, frames: frames, into: list)
        return 0
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
