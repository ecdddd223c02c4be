// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import Foundation
import Synchronization

extension AVAudioEngine {
    /// Makes a caller render, instead of the devices. Connections stay; taps on the input and output node are removed.
    ///
    /// - Parameters:
    ///   - pcmFormat: The format of rendered buffers: floats or integers, interleaved or not.
    ///   - maximumFrameCount: The most frames of a call, up to a million.
    /// - Throws: ``AVAudioEngineManualRenderingError/initialized`` while the engine runs;
    ///   `kAudioUnitErr_FormatNotSupported` for another format.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) throws {
        try core.enableManual(mode, pcmFormat, Int(maximumFrameCount))
    }

    /// Stops, and makes the devices render again.
    public func disableManualRenderingMode() { core.disableManual() }

    /// Renders frames, and returns when they are rendered.
    ///
    /// - Parameter buffer: In ``manualRenderingFormat``, with room for the frames. Its length is set.
    /// - Throws: ``AVAudioEngineManualRenderingError/invalidMode`` unless the mode is offline;
    ///   ``AVAudioEngineManualRenderingError/notRunning`` before ``start()``; `kAudio_ParamError` if the buffer does not
    ///   fit; `kAudioUnitErr_TooManyFramesToProcess` for more than ``manualRenderingMaximumFrameCount``.
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        buffer.frameLength = 0
        guard let format = core.manualFormat, buffer.format == format, numberOfFrames <= buffer.frameCapacity
        else {
            if !isInManualRenderingMode {
                throw AVAudioFailure.error(
                    AVAudioEngineManualRenderingError.invalidMode.rawValue,
                    "cannot render: not in offline mode")
            }
            throw AVAudioFailure.error(kAudio_ParamError, "cannot render: the buffer does not fit")
        }
        buffer.frameLength = numberOfFrames
        do {
            return try unsafe core.renderManually(
                Int(numberOfFrames), UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList),
                core.withState { $0.manual }, mode: .offline)
        } catch {
            buffer.frameLength = 0
            throw error
        }
    }

    /// Renders frames on the thread of the caller, without waiting or allocating memory. To be got
    /// after ``enableManualRenderingMode(_:format:maximumFrameCount:)``, whose settings it keeps.
    public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
        let (core, manual) = (core, core.withState { $0.manual })
        return { frames, list, status in
            do {
                return try unsafe core.renderManually(
                    Int(frames), UnsafeMutableAudioBufferListPointer(list), manual, mode: .realtime)
            } catch {
                unsafe status?.pointee = OSStatus((error as NSError).code)
                return .error
            }
        }
    }

    public var isInManualRenderingMode: Bool { core.manualFormat != nil }

    /// The mode; offline if there is none.
    public var manualRenderingMode: AVAudioEngineManualRenderingMode {
        core.withState { $0.manual?.mode } ?? .offline
    }

    /// The format of rendered buffers; 0 Hz and no channels if a caller does not render.
    public var manualRenderingFormat: AVAudioFormat { core.manualFormat ?? .absent }

    public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        AVAudioFrameCount(core.withState { $0.manual?.maximumFrames } ?? 0)
    }

    /// The number of frames rendered since the beginning, or the last ``reset()``.
    public var manualRenderingSampleTime: AVAudioFramePosition {
        core.withState { $0.manual }?.sampleTime.load(ordering: .relaxed) ?? 0
    }
}
