// SPDX-License-Identifier: MIT

import AudioGraphs

/// The directions of the device that an engine uses.
struct EngineUsage: Equatable, Sendable {
    var usesOutput = false
    var usesInput = false
    var voice = false

    /// Whether another use needs a direction that this one does not have. A running engine keeps what it has.
    func lacks(_ other: EngineUsage) -> Bool {
        (other.usesOutput && !usesOutput) || (other.usesInput && !usesInput)
    }
}

/// The formats of an engine's devices; nil for a direction without a device.
struct EngineHardware: Equatable, Sendable {
    var output: GraphFormat?
    var input: GraphFormat?
}

/// The settings of manual rendering.
struct ManualRendering {
    var mode: AVAudioEngineManualRenderingMode
    var clientFormat: AVAudioFormat
    var format: GraphFormat
    var maximumFrames: Int
    let output: ManualOutput
    var sampleTime: Int64 = 0
    /// The format of what the input block returns.
    var inputFormat: GraphFormat?
    var input: ManualInput?
}
