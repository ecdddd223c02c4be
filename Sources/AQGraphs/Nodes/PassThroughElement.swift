// SPDX-License-Identifier: MIT

/// A node whose output is its input: the end of a graph.
package final class PassThroughElement: GraphElement, GraphKernel {
    package init() {}

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? { self }

    package func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        call.render(input: 0, target, time: call.time)
    }

    package func reset() {}
}
