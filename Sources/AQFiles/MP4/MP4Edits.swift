// SPDX-License-Identifier: MIT

/// The part of a track's audio to be played (ISO/IEC 14496-12, 8.6.6).
struct MP4Edits {
    /// The start of the first part with audio, in the track's time scale.
    private(set) var mediaTime: Int64 = 0
    /// The duration of the first part with audio, in the movie's time scale; 0 for the rest of the track.
    private(set) var duration: Int64 = 0
    /// Whether the list has a part with audio.
    private(set) var isPresent = false
    /// The unsupported entries of the list, one line each.
    private(set) var notes: [String] = []

    init() {}

    /// Reads the list; only its first part with audio is used.
    init(_ elst: MP4Bytes) {
        let isLong = elst.uint8(at: 0) == 1
        let width = isLong ? 8 : 4
        let entries = elst.entries(claimed: elst.uint32(at: 4), of: 2 * width + 4, from: 8)
        for entry in 0..<entries {
            let position = 8 + entry * (2 * width + 4)
            guard let duration = elst.number(at: position, byteCount: width).map({ Int64(clamping: $0) }),
                let time = elst.number(at: position + width, byteCount: width)
            else { return }
            let start = isLong ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
            if start < 0 {
                notes.append("the silence that its edit list asks for is left out")
            } else if isPresent {
                notes.append("its edit list has more than one part, and only the first is played")
            } else {
                (isPresent, self.mediaTime, self.duration) = (true, start, duration)
            }
            if notes.count > 1 { return }
        }
    }
}
