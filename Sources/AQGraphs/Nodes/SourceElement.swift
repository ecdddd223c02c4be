// SPDX-License-Identifier: MIT

/// A node whose samples come from a function: of a client, or of the microphone.
package final class SourceElement: GraphElement, GraphKernel {
    /// Fills a slice; returns false if all samples are 0. Called on the rendering thread.
    package typealias Body = @Sendable (_ target: PlanarSamples, _ call: RenderCall) -> Bool

    private let body: Body

    package init(_ body: @escaping Body) { self.body = body }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? { self }

    package func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool { body(target, call) }

    package func reset() {}
}
