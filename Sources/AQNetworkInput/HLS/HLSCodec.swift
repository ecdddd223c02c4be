// SPDX-License-Identifier: MIT

/// The codecs of HLS playlists by their names (RFC 6381).
package enum HLSCodec {
    /// Returns whether a name is that of an audio codec.
    package static func isAudio(_ name: String) -> Bool {
        let family = name.lowercased().prefix { $0 != "." }
        let families = [
            "mp4a", "mp3", "aac", "ac-3", "ec-3", "ac-4", "alac", "flac", "opus", "vorbis", "dtsc", "dtse",
            "dtsh",
            "dtsl", "dtsx", "dtsy", "mha1", "mhm1", "speex",
        ]
        return families.contains(String(family))
    }

    /// Returns whether the name is that of MPEG audio, AAC in a profile that can be decoded, or Apple Lossless.
    package static func isPlayable(_ name: String) -> Bool {
        let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch parts[0] {
        case "mp3", "alac", "aac": return true
        case "mp4a":
            guard parts.count > 1 else { return true }
            // The object types of MPEG-1 and MPEG-2.
            guard parts[1] == "40" else { return ["66", "67", "68", "69", "6b"].contains(parts[1]) }
            // Main, LC, SSR, LTP, HE, HE version 2, and layers I to III.
            guard parts.count > 2 else { return true }
            return Int(parts[2]).map { [1, 2, 3, 4, 5, 29, 32, 33, 34].contains($0) } ?? false
        default: return false
        }
    }
}
