// SPDX-License-Identifier: MIT

public import AQCodecs
public import CoreAudioTypes
import AQThreads

/// The settings of a unit without a device.
extension PulledUnit {
    struct Settings {
        var inputs: [Input]
        var output = BusFormat(samples: IOUnit.usualFormat)
        var maximumFrames = PulledUnit.usualFrames
        var lendsMemory = true
        var quality = RateQuality.high

        struct Input {
            var controls = BusControls()
            var format = BusFormat(samples: IOUnit.usualFormat)
            /// Whether the input has had a source, so that it needs memory.
            var isUsed = false
        }

        init(inputs count: Int) { inputs = (0..<max(1, count)).map { _ in Input() } }
    }

    /// A bus of a unit.
    public enum Bus: Sendable, Equatable {
        case input(Int)
        case output
    }

    /// The most inputs that a mixer has.
    public static let maximumInputs = 1024

    // MARK: Buses

    public var inputCount: Int { state.withLock { $0.settings.inputs.count } }

    /// Sets the number of inputs of a mixer. The sources of inputs that no longer exist are removed.
    ///
    /// - Throws: ``UnitError/Code/propertyNotWritable`` for other units;
    ///   ``UnitError/Code/invalidPropertyValue`` for none or more than ``maximumInputs``.
    public func setInputCount(_ count: Int) throws(UnitError) {
        guard kind == .mixer else { throw UnitError(.propertyNotWritable, "the unit has one input") }
        guard 1...Self.maximumInputs ~= count else {
            throw UnitError(.invalidPropertyValue, "cannot set \(count) inputs")
        }
        try change { settings in
            let old = settings.inputs.count
            if count < old {
                settings.inputs.removeLast(old - count)
            } else {
                settings.inputs += (old..<count).map { _ in Settings.Input() }
            }
        }
    }

    private func checkBus(_ bus: Bus) throws(UnitError) {
        if case .input(let number) = bus, !(0..<inputCount ~= number) {
            throw UnitError(.invalidElement, "no input \(number)")
        }
    }

    private func bus(_ bus: Bus) throws(UnitError) -> BusFormat {
        try checkBus(bus)
        return state.withLock { state in
            switch bus {
            case .output: state.settings.output
            case .input(let number):
                number < state.settings.inputs.count
                    ? state.settings.inputs[number].format : state.settings.output
            }
        }
    }

    private func change(_ bus: Bus, _ body: (inout BusFormat) -> Void) throws(UnitError) {
        try checkBus(bus)
        try change { settings in
            switch bus {
            case .output: body(&settings.output)
            case .input(let number):
                if number < settings.inputs.count { body(&settings.inputs[number].format) }
            }
        }
    }

    /// The format of a bus.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``.
    public func format(_ bus: Bus) throws(UnitError) -> AudioStreamBasicDescription {
        try self.bus(bus).samples
    }

    /// Sets the format of a bus: any linear PCM of up to 32 channels and 384 kHz.
    ///
    /// - Throws: ``UnitError/Code/formatNotSupported``, ``UnitError/Code/invalidElement``.
    public func setFormat(_ format: AudioStreamBasicDescription, _ bus: Bus) throws(UnitError) {
        try checkBus(bus)
        _ = try ClientFormat(format)
        try change(bus) { $0.samples = format }
    }

    /// The labels of the channels of a bus.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``.
    public func channelLabels(_ bus: Bus) throws(UnitError) -> [AudioChannelLabel] {
        try self.bus(bus).channelLabels
    }

    /// Sets the labels of the channels of a bus, by which channels are mixed if the numbers of channels differ, or if
    /// both sides have labels. They count if there are as many as channels.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``.
    public func setChannelLabels(_ labels: [AudioChannelLabel], _ bus: Bus) throws(UnitError) {
        try change(bus) { $0.labels = labels }
    }

    /// Sets the source of an input, or removes it. Also while the unit renders.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``; the errors of ``initialize()`` if the unit is initialized and the
    ///   input has its first source.
    public func setSource(_ code: RenderCode?, input: Int) throws(UnitError) {
        try checkBus(.input(input))
        let found = state.withLock { state in
            input < state.settings.inputs.count ? state.settings.inputs[input] : nil
        }
        guard let found else { throw UnitError(.invalidElement, "no input \(input)") }
        if code != nil, !found.isUsed {
            try change { settings in
                if input < settings.inputs.count { settings.inputs[input].isUsed = true }
            }
        }
        found.controls.source = code
    }

    // MARK: Slices

    /// The largest number of frames in a slice until another is set.
    ///
    /// COMPAT: programs that render by hand ask for 1,024 frames without setting a maximum.
    public static let usualFrames = 1_156

    /// The largest number of frames in a slice.
    public var maximumFrames: Int { state.withLock { $0.settings.maximumFrames } }

    /// Sets the largest number of frames in a slice, also in those of sources: at least 1.
    ///
    /// - Throws: ``UnitError/Code/invalidPropertyValue``; of an initialized unit
    ///   ``UnitError/Code/failedInitialization`` if there are too many.
    public func setMaximumFrames(_ frames: Int) throws(UnitError) {
        guard 1...1 << 20 ~= frames else {
            throw UnitError(.invalidPropertyValue, "cannot set a maximum of \(frames) frames")
        }
        try change { $0.maximumFrames = frames }
    }

    /// Whether a render gives memory to buffers without it.
    public var lendsMemory: Bool { state.withLock { $0.settings.lendsMemory } }

    public func setLendsMemory(_ isOn: Bool) throws(UnitError) { try change { $0.lendsMemory = isOn } }

    /// The quality of the conversion of rates.
    public var rateQuality: RateQuality { state.withLock { $0.settings.quality } }

    public func setRateQuality(_ quality: RateQuality) throws(UnitError) {
        try change { $0.quality = quality }
    }
}
