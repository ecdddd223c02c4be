// SPDX-License-Identifier: MIT

import AQGraphs
public import Foundation

/// The volume and position of a node in one mixer.
///
/// A node has one volume and position for all mixers that follow it.
open class AVAudioMixingDestination: NSObject {
    public let connectionPoint: AVAudioConnectionPoint
    private let mix: MixControls

    init(_ point: AVAudioConnectionPoint, _ mix: MixControls) {
        connectionPoint = point
        self.mix = mix
        super.init()
    }

    /// The factor of the samples, from 0 to 1.
    open var volume: Float {
        get { mix.volume }
        set { mix.volume = newValue }
    }

    /// From -1, only the first channel, to 1, only the second.
    open var pan: Float {
        get { mix.pan }
        set { mix.pan = newValue }
    }
}

extension AVAudioMixing {
    /// Returns the volume and position of this node in a mixer; nil unless it is connected to that bus.
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        guard
            let point = part.core?.outputPoints(of: part).first(where: { $0.node === mixer && $0.bus == bus })
        else { return nil }
        return AVAudioMixingDestination(point, part.mix)
    }
}
