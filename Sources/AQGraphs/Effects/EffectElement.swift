// SPDX-License-Identifier: MIT

/// An element that changes its input, and can be switched off.
package protocol EffectElement: GraphElement {
    /// Whether the input is passed unchanged.
    var bypass: EffectSwitch { get }
}

extension KernelSetup {
    /// Whether the input has the rate and the channels of the output, so that a kernel can work in place.
    var keepsFormat: Bool {
        guard let input = inputs.first ?? nil else { return true }
        return input.sampleRate == output.sampleRate && input.channels == output.channels
    }
}
