// SPDX-License-Identifier: MIT

import AQGraphs
import Synchronization

/// The directions of the device that an engine uses.
struct EngineUsage: Equatable, Sendable {
    var usesOutput = false
    var usesInput = false

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
final class ManualRendering: @unchecked Sendable {
    // SAFETY: constants and atomics, and a format that the engine's lock protects.
    let mode: AVAudioEngineManualRenderingMode
    let clientFormat: AVAudioFormat
    let format: GraphFormat
    let maximumFrames: Int
    let output: ManualOutput
    let sampleTime = Atomic<Int64>(0)
    let isRunning = Atomic<Bool>(false)
    /// The format of the input block's frames.
    var inputFormat: GraphFormat?

    init(_ mode: AVAudioEngineManualRenderingMode, _ clientFormat: AVAudioFormat, maximumFrames: Int) {
        self.mode = mode
        self.clientFormat = clientFormat
        self.maximumFrames = maximumFrames
        format = clientFormat.graphFormat
        output = ManualOutput(format, maximumFrames: maximumFrames)
    }
}
