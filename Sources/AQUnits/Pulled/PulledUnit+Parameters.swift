// SPDX-License-Identifier: MIT

import AQThreads

/// The parameters and the levels of a mixer. A change takes effect during the next slice, without a click.
extension PulledUnit {
    private func controls(_ bus: Bus) throws(UnitError) -> BusControls {
        switch bus {
        case .output: return outputControls
        case .input(let number):
            let found = state.withLock { state in
                state.settings.inputs.indices ~= number ? state.settings.inputs[number].controls : nil
            }
            guard let found else { throw UnitError(.invalidElement, "no input \(number)") }
            return found
        }
    }

    /// The factor of the samples of a bus, initially 1.
    public func volume(_ bus: Bus) throws(UnitError) -> Float { try controls(bus).volume }

    /// Sets the factor of the samples of a bus; a negative number counts as 0.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``; ``UnitError/Code/invalidParameterValue`` for no finite number.
    public func setVolume(_ volume: Float, _ bus: Bus) throws(UnitError) {
        let controls = try controls(bus)
        controls.volume = max(0, try finite(volume))
    }

    /// The position of a bus between the first two channels of the output: -1 is the first, 1 the second, initially 0.
    public func pan(_ bus: Bus) throws(UnitError) -> Float { try controls(bus).pan }

    /// Sets the position of a bus; numbers out of -1 to 1 count as the nearer bound. One channel is unchanged, and the
    /// other is reduced in proportion. A mono output has no positions.
    ///
    /// - Throws: As ``setVolume(_:_:)``.
    public func setPan(_ pan: Float, _ bus: Bus) throws(UnitError) {
        let controls = try controls(bus)
        controls.pan = min(1, max(-1, try finite(pan)))
    }

    /// Whether a bus is audible, initially true.
    public func isEnabled(_ bus: Bus) throws(UnitError) -> Bool { try controls(bus).isEnabled }

    /// Makes a bus silent or audible. The source of a silent input is not called.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``.
    public func setEnabled(_ isOn: Bool, _ bus: Bus) throws(UnitError) { try controls(bus).isEnabled = isOn }

    func finite(_ value: Float) throws(UnitError) -> Float {
        guard value.isFinite else { throw UnitError(.invalidParameterValue, "no number") }
        return value
    }

    // MARK: Levels

    /// Whether the levels of a bus are measured, initially false.
    public func isMetering(_ bus: Bus) throws(UnitError) -> Bool { try controls(bus).meter.isOn }

    public func setMetering(_ isOn: Bool, _ bus: Bus) throws(UnitError) {
        try controls(bus).meter.isOn = isOn
    }

    /// The level of a channel in the last slice, in decibels; -120 for silence, and if levels are not measured.
    ///
    /// - Parameters:
    ///   - isPeak: Whether the level is that of the highest sample, which falls by 20 dB in a second, and not the power.
    ///   - afterGain: Whether the level is that after volume and position.
    /// - Throws: ``UnitError/Code/invalidElement``; ``UnitError/Code/invalidParameter`` for a channel that no format has.
    public func level(
        _ bus: Bus, channel: Int, isPeak: Bool, afterGain: Bool
    ) throws(UnitError) -> Float {
        let meter = try controls(bus).meter
        guard
            let level = meter.decibels(isPeak ? .peak : .average, channel: channel, afterGain: afterGain)
        else { throw UnitError(.invalidParameter, "no channel \(channel)") }
        return level
    }
}
