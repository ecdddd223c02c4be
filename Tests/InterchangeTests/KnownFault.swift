// SPDX-License-Identifier: MIT

/// A known fault of another program with a valid file.
struct KnownFault: Sendable {
    var encoding: String
    var layout: SoundLayout
    var message: String
    var reason: String

    static let all = [
        // The FLAC tool's own file of these samples loses the same frames in ffmpeg, and passes `flac --test`.
        KnownFault(
            encoding: "flac, 8 bits in flac", layout: SoundLayout(channels: 1, sampleRate: 88200),
            message: "ffmpeg decodes", reason: "ffmpeg 5.1 mistakes bytes of 8-bit FLAC for a header")
    ]

    /// The fault that explains a failure; nil if it is unknown.
    static func explaining(_ failure: String, of encoding: Encoding, _ layout: SoundLayout) -> KnownFault? {
        all.first {
            $0.encoding == encoding.name && $0.layout == layout && failure.hasPrefix($0.message)
        }
    }
}
