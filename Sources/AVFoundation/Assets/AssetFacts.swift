// SPDX-License-Identifier: MIT

import AVFAudio
import AudioToolbox
import CoreMedia
import Foundation

/// The properties of a file of audio.
struct AssetFacts: Sendable {
    /// The format of the audio in the file.
    let format: AVAudioFormat
    let frames: AVAudioFramePosition
    let fileBytes: Int64

    /// Opens a file.
    ///
    /// - Throws: As ``AVAsset/facts()``.
    init(_ url: URL) throws {
        guard url.isFileURL else { throw AssetFailure.error(.operationNotSupported, url, "not a local file") }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw AssetFailure.error(missing: url)
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw AssetFailure.error(unreadable: url)
        }
        let file: AVAudioFile
        do { file = try AVAudioFile(forReading: url) } catch {
            throw AssetFailure.error(error as NSError, url)
        }
        format = file.fileFormat
        frames = file.length
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        fileBytes = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// The rate in whole hertz, as the scale of times.
    var timeScale: CMTimeScale { CMTimeScale(max(1, min(format.sampleRate.rounded(), 1e9))) }

    /// The duration, exact for whole rates.
    var duration: CMTime {
        Double(timeScale) == format.sampleRate
            ? CMTime(value: frames, timescale: timeScale)
            : CMTime(seconds: Double(frames) / format.sampleRate, preferredTimescale: timeScale)
    }
}
