// SPDX-License-Identifier: MIT

/// The server's reports on whether it plays the written audio.
struct StallState {
    /// Whether the server has reported that it plays, and no underrun after that.
    private(set) var isPlaying = false
    /// The end of the written audio when the server last reported an underrun, in device frames.
    private(set) var underrunFrame: Int64 = 0
    /// The end of the written audio when the last check was scheduled, in device frames.
    private(set) var watchedFrame: Int64 = 0

    @_noLocks mutating func begins() { isPlaying = false }
    @_noLocks mutating func plays() { isPlaying = true }

    @_noLocks mutating func underran(writtenTo frame: Int64) {
        isPlaying = false
        underrunFrame = frame
    }

    @_noLocks mutating func watch(upTo frame: Int64) { watchedFrame = frame }
}
