// SPDX-License-Identifier: MIT

import AQGraphs

/// The position of a node between the first two channels of the mixer that follows it.
public protocol AVAudioStereoMixing: AVAudioNode {
    /// From -1, only the first channel, to 1, only the second. Initially 0.
    var pan: Float { get set }
}

/// The volume and position of a node in the mixer that follows it. Changes are heard with the next slice, without a
/// click.
public protocol AVAudioMixing: AVAudioStereoMixing {
    /// The factor of the samples, from 0 to 1. Initially 1.
    var volume: Float { get set }
}

extension AVAudioStereoMixing {
    public var pan: Float {
        get { part.mix.pan }
        set { part.mix.pan = newValue }
    }
}

extension AVAudioMixing {
    public var volume: Float {
        get { part.mix.volume }
        set { part.mix.volume = newValue }
    }
}
