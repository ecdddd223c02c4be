// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation
import Synchronization

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
        guard format.commonFormat != .otherFormat, format.isUsableInGraphs,
            1...1_000_000 ~= maximumFrames
        else {
            throw AVAudioFailure.error(
                kAudioUnitErr_FormatNotSupported, "cannot render manually in this format")
        }
        let settings = ManualRendering(mode, format, maximumFrames: maximumFrames)
        withState { state in
            state.manual = settings
        }
        for part in withState({ [$0.input, $0.output] }) {
            if let part { setTap(nil, on: part) }
        }
        io.close()
        graphChanged()
    }

    func disableManual() {
        guard manualFormat != nil else { return }
        stop()
        withState { $0.manual = nil }
        manualInput.end()
        graphChanged()
    }

    /// Renders frames into a list in the client's format, without locks.
    func renderManually(
        _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer, _ manual: ManualRendering?,
        mode: AVAudioEngineManualRenderingMode
    ) throws -> AVAudioEngineManualRenderingStatus {
        guard let manual, manual.mode == mode else {
            throw AVAudioFailure.error(
                AVAudioEngineManualRenderingError.invalidMode.rawValue, "cannot render: not in this mode")
        }
        guard manual.isRunning.load(ordering: .acquiring) else {
            throw AVAudioFailure.error(
                AVAudioEngineManualRenderingError.notRunning.rawValue,
                "cannot render: the engine does not run")
        }
        guard frames <= manual.maximumFrames else {
            throw AVAudioFailure.error(
                kAudioUnitErr_TooManyFramesToProcess,
                "cannot render \(frames) frames: \(manual.maximumFrames) are the most")
        }
        guard !renderer.isRenderingThread else { return .cannotDoInCurrentContext }
        manualInput.begin()
        let samples = manual.output.samples(frames)
        _ = renderer.renderOutput(
            samples, SliceTime(sampleTime: manual.sampleTime.load(ordering: .relaxed)),
            isOffline: mode == .offline)
        guard unsafe SampleWriter.write(samples, manual.clientFormat.asbd, to: list) else {
            throw AVAudioFailure.error(kAudio_ParamError, "cannot render: the buffers do not fit")
        }
        manual.sampleTime.wrappingAdd(Int64(frames), ordering: .relaxed)
        if mode == .offline { settleTaps() }
        return manualInput.hasLacked ? .insufficientDataFromInputNode : .success
    }

    /// Returns when the blocks of all taps have got what was rendered.
    private func settleTaps() {
        let taps = withState { state in state.parts.values.compactMap { $0.tap?.current } }
        for tap in taps { tap.settle() }
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
