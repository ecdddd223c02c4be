// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// A unit without a device behind the published functions: GenericOutput, the converters and the mixers.
final class PulledUnitObject: UnitObject {
    /// The units of this kind.
    enum Kind: Sendable {
        case genericOutput, converter, multiChannelMixer, stereoMixer, varispeed, timePitch

        func makeEngine() -> PulledUnit {
            switch self {
            case .genericOutput, .converter: .converter()
            case .multiChannelMixer, .stereoMixer: .mixer(inputs: PulledUnitObject.usualInputs)
            case .varispeed: .varispeed()
            case .timePitch: .timePitch(QueueStretcher.slices)
            }
        }

        var isMixer: Bool { self == .multiChannelMixer || self == .stereoMixer }
    }

    /// The settings that the engine does not know.
    struct Settings {
        var rendersOffline: UInt32 = 0
        var renderQuality: UInt32 = 127
        /// Whether a generic output was started, which has no effect on the client's renders.
        var isRunning = false
    }

    /// The number of inputs of a mixer before it is set.
    private static let usualInputs = 8

    let kind: Kind
    let engine: PulledUnit
    let settings = Monitor(Settings())
    private let listener: Monitor<(@Sendable (UnitProperty) -> Void)?> = Monitor(nil)

    init(_ kind: Kind) {
        self.kind = kind
        engine = kind.makeEngine()
    }

    /// Sets the code that is called after a property has changed.
    func setListener(_ code: (@Sendable (UnitProperty) -> Void)?) { listener.withLock { $0 = code } }

    func changed(_ property: UnitProperty) { listener.withLock { $0 }?(property) }

    // MARK: UnitObject

    func initialize() throws(UnitError) { try engine.initialize() }

    func uninitialize() {
        setRunning(false)
        engine.uninitialize()
    }

    func start() throws(UnitError) {
        guard kind == .genericOutput else { throw UnitError(.invalidElement, "the unit is no output") }
        guard engine.isInitialized else { throw UnitError(.uninitialized, "the unit is not initialized") }
        setRunning(true)
    }

    func stop() throws(UnitError) {
        guard kind == .genericOutput else { throw UnitError(.invalidElement, "the unit is no output") }
        setRunning(false)
    }

    private func setRunning(_ isRunning: Bool) {
        let isChanged = settings.withLock { settings in
            defer { settings.isRunning = isRunning }
            return settings.isRunning != isRunning
        }
        if isChanged {
            changed(UnitProperty(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0))
        }
    }

    func reset() { engine.reset() }
    func clearLastRenderError() { _ = engine.takeLastRenderError() }
    var isRenderingHere: Bool { engine.isRenderingHere }

    func dispose() {
        setListener(nil)
        engine.uninitialize()
        for input in 0..<engine.inputCount { try? engine.setSource(nil, input: input) }
    }

    func addRenderObserver(_ id: Int, _ code: RenderCode) { engine.addRenderObserver(id, code) }
    func removeRenderObserver(_ id: Int) { engine.removeRenderObserver(id) }

    @unsafe func render(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        try unsafe engine.render(actions, time, bus: bus, frames: frames, into: list)
    }

    @unsafe func process(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
        in list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        try unsafe engine.process(actions, time, frames: frames, in: list)
    }

    func outputFormat(bus: Int) throws(UnitError) -> AudioStreamBasicDescription {
        guard bus == 0 else { throw UnitError(.invalidElement, "no output \(bus)") }
        return try engine.format(.output)
    }

    /// Connects an input to another unit, whose format it takes over, or disconnects it.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``, ``UnitError/Code/invalidPropertyValue``,
    ///   ``UnitError/Code/formatNotSupported``.
    func connect(_ data: UnitPropertyData, at property: UnitProperty) throws(UnitError) {
        let connection = try UnitConnection(data, at: property)
        guard connection.source?.unit !== self else {
            throw UnitError(.invalidPropertyValue, "cannot connect: a unit is no source of itself")
        }
        if let made = try connection.made() {
            if try !made.format.isSame(as: engine.format(.input(connection.input))) {
                try setFormat(made.format, .input(connection.input))
                changed(
                    UnitProperty(
                        kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(connection.input)))
            }
            try engine.setSource(made.code, input: connection.input)
        } else {
            try engine.setSource(nil, input: connection.input)
        }
    }

    /// Sets a format that this kind of unit supports.
    func setFormat(_ format: AudioStreamBasicDescription, _ bus: PulledUnit.Bus) throws(UnitError) {
        if kind == .stereoMixer {
            let channels: ClosedRange<UInt32> = bus == .output ? 2...2 : 1...2
            guard channels ~= format.mChannelsPerFrame else {
                throw UnitError(.formatNotSupported, "a stereo mixer has one or two channels")
            }
        }
        try engine.setFormat(format, bus)
    }
}
