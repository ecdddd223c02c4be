// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// A connection of a unit's output to an input of another unit: the value of `kAudioUnitProperty_MakeConnection`.
struct UnitConnection: Sendable {
    /// The instance that provides the audio; nil to disconnect the input.
    let source: UnitInstance?
    /// The output bus of the source.
    let output: Int
    /// The input bus of the unit with the property.
    let input: Int

    /// Reads the value of the property; no bytes disconnect the input of the property's element.
    ///
    /// - Throws: ``UnitError/Code/invalidPropertyValue`` for a unit that does not exist.
    init(_ data: UnitPropertyData, at property: UnitProperty) throws(UnitError) {
        if data.isEmpty {
            (source, output, input) = (nil, 0, Int(property.element))
            return
        }
        let fields: Fields = try data.value()
        (output, input) = (Int(fields.output), Int(fields.input))
        guard fields.unit != 0 else {
            source = nil
            return
        }
        guard let found = unsafe UnitInstance.table[OpaquePointer(bitPattern: fields.unit)] else {
            throw UnitError(.invalidPropertyValue, "cannot connect: there is no such unit")
        }
        source = found
    }

    /// The fields of an `AudioUnitConnection`, whose unit may be NULL.
    private struct Fields: BitwiseCopyable {
        let unit: UInt
        let output: UInt32
        let input: UInt32
    }

    /// The code that renders the source, with its format; nil to disconnect.
    ///
    /// - Throws: ``UnitError/Code/invalidElement`` if the source has no such output.
    func made() throws(UnitError) -> (code: RenderCode, format: AudioStreamBasicDescription)? {
        guard let source else { return nil }
        let format = try source.unit.outputFormat(bus: output)
        let bus = output
        let code = unsafe RenderCode { [weak source] actions, time, _, frames, list in
            // The client may have disposed of the source.
            guard let source, !source.isDisposed, let list = unsafe list else {
                return UnitError.Code.noConnection.rawValue
            }
            do throws(UnitError) {
                return try unsafe source.unit.render(
                    actions, time, bus: bus, frames: frames, into: UnsafeMutableAudioBufferListPointer(list))
            } catch {
                return error.code.rawValue
            }
        }
        return (code, format)
    }
}
