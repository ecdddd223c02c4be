// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// Connections of an I/O unit: to its output, and from its input.
extension IOUnitObject {
    /// Connects the output to another unit, whose format it takes over, or disconnects it.
    ///
    /// - Throws: ``UnitError/Code/formatNotSupported`` while the unit runs, if the formats differ;
    ///   ``UnitError/Code/invalidElement``; ``UnitError/Code/invalidPropertyValue``.
    func connect(_ data: UnitPropertyData) throws(UnitError) {
        let connection = try UnitConnection(
            data, at: UnitProperty(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0))
        guard connection.input == 0 else { throw UnitError(.invalidElement, "no input \(connection.input)") }
        guard let made = try connection.made() else { return engine.setRenderCode(nil) }
        if !made.format.isSame(as: engine.clientFormat(.output)) {
            guard !engine.isRunning else {
                throw UnitError(.formatNotSupported, "cannot connect: the unit runs with another format")
            }
            try engine.setClientFormat(made.format, .output)
        }
        engine.setRenderCode(made.code)
    }

    func outputFormat(bus: Int) throws(UnitError) -> AudioStreamBasicDescription {
        guard hasInput, bus == IOUnit.Side.input.rawValue else {
            throw UnitError(.invalidElement, "bus \(bus) of an I/O unit cannot be connected to an input")
        }
        return engine.clientFormat(.input)
    }
}
