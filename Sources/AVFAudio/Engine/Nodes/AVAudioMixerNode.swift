// SPDX-License-Identifier: MIT

import AQGraphs

/// Adds any number of inputs, and converts their rates and channels.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    private let element = MixerElement()

    public init() { super.init(part: NodePart(element, .mixer, inputs: 1, outputs: 1)) }

    /// The factor of the sum, from 0 to 1. Initially 1.
    open var outputVolume: Float {
        get { element.volume }
        set { element.volume = newValue }
    }

    /// The first input that nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { part.core?.nextInput(of: part) ?? 0 }
}
