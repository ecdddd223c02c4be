// SPDX-License-Identifier: MIT

/// A node's settings and state, which outlive the plans that it is rendered by.
///
/// Any thread may use it.
package protocol GraphElement: AnyObject, Sendable {
    /// Makes what renders the node; nil if that is not possible in these formats, and the node is then silent.
    func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)?
}

/// The formats and the length of slices of a kernel. With another setup, another kernel is made.
package struct KernelSetup: Sendable, Equatable {
    /// The formats of the inputs; nil for those without a source.
    package var inputs: [GraphFormat?]
    package var output: GraphFormat
    /// The most frames of a slice.
    package var maximumFrames: Int

    package init(inputs: [GraphFormat?], output: GraphFormat, maximumFrames: Int) {
        self.inputs = inputs
        self.output = output
        self.maximumFrames = maximumFrames
    }
}
