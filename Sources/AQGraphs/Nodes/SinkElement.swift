// SPDX-License-Identifier: MIT

/// A node that passes its input to a function, and has no output.
package final class SinkElement: GraphElement, GraphKernel {
    /// Takes a slice. Called on the rendering thread.
    package typealias Body = @Sendable (_ slice: PlanarSamples, _ time: SliceTime) -> Void

    private let body: Body

    package init(_ body: @escaping Body) { self.body = body }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? { self }

    package func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        let hasSound = call.render(input: 0, target, time: call.time)
        body(target, call.time)
        return hasSound
    }

    package func reset() {}
}
