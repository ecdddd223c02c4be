// SPDX-License-Identifier: MIT

import AQSoundHarness
import Synchronization
import AQTestSupport

/// The losses of other encoders, each measured once.
final class PeerResults: Sendable {
    private struct Key: Hashable {
        var encoder: PeerEncoder
        var layout: SoundLayout
    }

    private let results = Mutex<[Key: Double]>([:])

    static let shared = PeerResults()

    /// Encodes a WAVE file with another encoder, decodes that with ffmpeg, and compares.
    func signalToNoise(
        of encoder: PeerEncoder, kilobitsPerSecond: Int?, source: Sound, wave: String, folder: ScratchFolder
    ) throws -> Double {
        let layout = SoundLayout(channels: source.channels, sampleRate: source.sampleRate)
        let key = Key(encoder: encoder, layout: layout)
        if let known = results.withLock({ $0[key] }) { return known }
        let encoded: String
        switch encoder {
        case .ffmpeg(let codec, let suffix):
            encoded = folder.file("peer.\(suffix)")
            let usual = codec == "libvorbis" ? ["-q:a", "5"] : []
            let rate = kilobitsPerSecond.map { ["-b:a", "\($0)k"] } ?? usual
            _ = try Tools.output(
                "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", wave, "-c:a", codec] + rate + [encoded])
        case .lame:
            encoded = folder.file("peer.mp3")
            let rates = ["-b", "\(kilobitsPerSecond ?? 128)", "--resample", "\(layout.sampleRate)"]
            _ = try Tools.output("lame", ["--silent", "--cbr"] + rates + [wave, encoded])
        }
        let decoded = try Tools.decodeWithFFmpeg(encoded, layout)
        // Not all containers and readers report priming, and only the encoder is measured.
        let lag = decoded.lag(behind: source, limit: 2400)
        let result = decoded.signalToNoise(against: source, lag: lag)
        results.withLock { $0[key] = result }
        return result
    }
}
