// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
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

    /// Renders an output bus. Returns 0, or the status of the client's code.
    @unsafe func render(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32
    /// Processes a slice in place. Returns 0, or the status of the client's code.
    @unsafe func process(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
        in list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32
    /// The format of an output bus that can be rendered, and so be connected to an input.
    ///
    /// - Throws: ``UnitError/Code/invalidElement``.
    func outputFormat(bus: Int) throws(UnitError) -> AudioStreamBasicDescription
    func reset()
    /// Clears the status of the last render that failed.
    func clearLastRenderError()
    func addRenderObserver(_ id: Int, _ code: RenderCode)
    func removeRenderObserver(_ id: Int)

    /// Whether the calling thread renders a unit without a device now.
    var isRenderingHere: Bool { get }

    /// Starts and stops an I/O unit; other units throw.
    func start() throws(UnitError)
    func stop() throws(UnitError)
    /// Ends permanently, after the client has disposed of the unit.
    func dispose()
}

/// Defaults for units without a device.
extension UnitObject {
    var isRenderingHere: Bool { false }
    func sizeToSet(_ property: UnitProperty) -> Int? { nil }
    func start() throws(UnitError) { throw UnitError(.invalidElement, "only I/O units can be started") }
    func stop() throws(UnitError) { throw UnitError(.invalidElement, "only I/O units can be stopped") }
    func parameter(_ place: UnitProperty) throws(UnitError) -> Float {
        throw UnitError(.invalidParameter, "no parameter \(place.id)")
    }
    func setParameter(_ place: UnitProperty, _ value: Float, offset: Int) throws(UnitError) {
        throw UnitError(.invalidParameter, "no parameter \(place.id)")
    }
    @unsafe func process(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
        in list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        throw UnitError(.unimplemented, "the unit does not process in place")
    }
}
