// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox
public import Foundation

/// The input or the output of an engine.
open class AVAudioIONode: AVAudioNode {
    /// The time from the device until the node, or back, in seconds; 0 unless the engine runs.
    open var presentationLatency: TimeInterval { part.core?.outputLatency ?? 0 }

    /// The I/O unit of the engine, which both nodes share. Nil in a forked child.
    ///
    /// `kAudioOutputUnitProperty_CurrentDevice` chooses the loudspeaker or the microphone, by the directions that the device
    /// has, at any time; a running engine is interrupted for a moment. Other properties are for an engine that does not run.
    open var audioUnit: AudioUnit? { unsafe try? part.core?.io.unit() }

    /// Whether the echo of the output is removed from the input.
    open var isVoiceProcessingEnabled: Bool { part.core?.io.isVoice ?? false }

    /// Removes the echo of the output from the input, on both nodes. While the engine does not run.
    ///
    /// If the server cannot cancel echo, the microphone is recorded unprocessed, with a line on standard error, and
    /// ``AVAudioInputNode/isVoiceProcessingBypassed`` is true.
    ///
    /// - Throws: `kAudioUnitErr_Initialized` while it runs; the error of the unit if there is no server or no microphone.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        guard let core = part.core else { return }
        try core.setVoice(enabled)
    }
}

/// The loudspeaker of an engine. Its input may have any format: it is converted.
open class AVAudioOutputNode: AVAudioIONode {
    init(_ core: EngineCore) {
        super.init(part: NodePart(PassThroughElement(), .output, inputs: 1, outputs: 0))
        core.findHardware()
    }
}
