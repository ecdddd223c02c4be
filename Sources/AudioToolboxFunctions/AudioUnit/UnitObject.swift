// SPDX-License-Identifier: MIT

import AudioUnits
import CAudioToolbox
import CoreAudioTypes

/// An audio unit behind the published functions.
protocol UnitObject: AnyObject, Sendable {
    func initialize() throws(UnitError)
    func uninitialize()

    /// The value of a property; its size is that of the value.
    ///
    /// - Throws: ``UnitError/Code/invalidProperty``, ``UnitError/Code/invalidScope``,
    ///   ``UnitError/Code/invalidElement``.
    func value(of property: UnitProperty) throws(UnitError) -> PropertyAnswer
    /// Whether a property that exists can be set.
    func isWritable(_ property: UnitProperty) -> Bool
    /// The size of a property that can only be set, in bytes; nil for others.
    func sizeToSet(_ property: UnitProperty) -> Int?
    func set(_ property: UnitProperty, _ data: UnitPropertyData) throws(UnitError)

    func parameter(_ place: UnitProperty) throws(UnitError) -> Float
    func setParameter(_ place: UnitProperty, _ value: Float, offset: Int) throws(UnitError)

    @unsafe func render(
        _ actions: UnsafeMutablePointer<RenderActions>?, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError)
    func reset()
    func addRenderObserver(_ id: Int, _ code: RenderCode)
    func removeRenderObserver(_ id: Int)

    /// Starts and stops an I/O unit; other units throw.
    func start() throws(UnitError)
    func stop() throws(UnitError)
    /// Ends permanently, after the client has disposed of the unit.
    func dispose()
}

/// Defaults for units without a device.
extension UnitObject {
    func sizeToSet(_ property: UnitProperty) -> Int? { nil }
    func start() throws(UnitError) { throw UnitError(.invalidElement, "only I/O units can be started") }
    func stop() throws(UnitError) { throw UnitError(.invalidElement, "only I/O units can be stopped") }
    func parameter(_ place: UnitProperty) throws(UnitError) -> Float {
        throw UnitError(.invalidParameter, "no parameter \(place.id)")
    }
    func setParameter(_ place: UnitProperty, _ value: Float, offset: Int) throws(UnitError) {
        throw UnitError(.invalidParameter, "no parameter \(place.id)")
    }
}
