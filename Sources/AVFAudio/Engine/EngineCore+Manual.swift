// SPDX-License-Identifier: MIT

import AudioGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation

/// Rendering by a caller.
extension EngineCore {
    var manualFormat: AVAudioFormat? { withState { $0.manual?.clientFormat } }

    func enableManual(
        _ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximumFrames: Int
    ) throws {
        guard !isRendering else {
            throw AVAudioFailure.error(
                AVAudioEngineManualRenderingError.initialized.rawValue,
                "cannot render manually: the engine runs")
        }
        guard format.commonFormat != .otherFormat, format.channelCount > 0, format.sampleRate > 0,
            1...1_000_000 ~= maximumFrames
        else {
            throw AVAudioFailure.error(
                kAudioUnitErr_FormatNotSupported, "cannot render manually in this format")
        }
        let settings = ManualRendering(
            mode: mode, clientFormat: format, format: format.graphFormat, maximumFrames: maximumFrames,
            output: ManualOutput(format.graphFormat, maximumFrames: maximumFrames))
        withState { state in
            for part in [state.input, state.output] {
                part?.tap?.end()
                part?.tap = nil
            }
            state.manual = settings
        }
        io.close()
        graphChanged()
    }

    func disableManual() {
        guard manualFormat != nil else { return }
        stop()
        withState { $0.manual = nil }
        renderer.whileIdle { manualInput.set(nil) }
        graphChanged()
    }

    /// Renders frames into a list in the client's format.
    func renderManually(
        _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer, mode: AVAudioEngineManualRenderingMode
    ) throws -> AVAudioEngineManualRenderingStatus {
        let (manual, isRunning) = withState { ($0.manual, $0.isRunning) }
        guard let manual, manual.mode == mode else {
            throw AVAudioFailure.error(
                AVAudioEngineManualRenderingError.invalidMode.rawValue, "cannot render: not in this mode")
        }
        guard isRunning else {
            throw AVAudioFailure.error(
                AVAudioEngineManualRenderingError.notRunning.rawValue,
                "cannot render: the engine does not run")
        }
        guard frames <= manual.maximumFrames else {
            throw AVAudioFailure.error(
                kAudioUnitErr_TooManyFramesToProcess,
                "cannot render \(frames) frames: \(manual.maximumFrames) are the most")
        }
        manual.input?.begin()
        let samples = manual.output.samples(frames)
        _ = renderer.renderOutput(
            samples, SliceTime(sampleTime: manual.sampleTime), isOffline: mode == .offline)
        guard unsafe SampleWriter.write(samples, manual.clientFormat.asbd, to: list) else {
            throw AVAudioFailure.error(kAudio_ParamError, "cannot render: the buffers do not fit")
        }
        withState { $0.manual?.sampleTime += Int64(frames) }
        if mode == .offline { GraphMessenger.shared.settle() }
        return manual.input?.hasLacked == true ? .insufficientDataFromInputNode : .success
    }
}

/// The memory that a caller's slices are rendered into.
final class ManualOutput: @unchecked Sendable {
    // SAFETY: the renderer admits one caller at a time; a client renders on one thread.
    private let memory: PlanarMemory

    init(_ format: GraphFormat, maximumFrames: Int) {
        memory = PlanarMemory(channels: format.channels, capacityFrames: maximumFrames)
    }

    func samples(_ frames: Int) -> PlanarSamples { memory.prefix(frames) }
}
