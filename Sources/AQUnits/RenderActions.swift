// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// The flags of a render call. The raw values are those of `AudioUnitRenderActionFlags`.
public struct RenderActions: OptionSet, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The call is made before a render.
    public static let preRender = RenderActions(rawValue: 1 << 2)
    /// The call is made after a render.
    public static let postRender = RenderActions(rawValue: 1 << 3)
    /// The slice is silent, whatever its memory contains.
    public static let outputIsSilence = RenderActions(rawValue: 1 << 4)
    /// The render has failed.
    public static let postRenderError = RenderActions(rawValue: 1 << 8)

    /// The flags by which an observer distinguishes its calls.
    static let moments: RenderActions = [.preRender, .postRender, .postRenderError]
}

/// A client's code that renders a slice, is informed of captured frames, or observes a render.
///
/// Returns 0 or a status. The list is nil for captured frames, which the code gets with ``IOUnit/render(bus:frames:into:)``.
/// On a unit with a device, the device's real-time thread runs the code.
///
/// The corresponding C type is `AURenderCallback`.
@safe public struct RenderCode: Sendable {
    // SAFETY: the pointers are valid during the call, and the code does not keep them.
    public typealias Body =
        @Sendable (
            _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, _ bus: Int,
            _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?
        ) -> Int32

    private let body: Body

    public init(_ body: @escaping Body) { unsafe self.body = body }

    @unsafe public func callAsFunction(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, _ bus: Int,
        _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?
    ) -> Int32 {
        unsafe body(actions, time, bus, frames, list)
    }
}
