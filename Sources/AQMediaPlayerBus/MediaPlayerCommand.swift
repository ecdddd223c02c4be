// SPDX-License-Identifier: MIT

/// A request of another program, already checked: numbers are finite and within their ranges.
public enum MediaPlayerCommand: Sendable, Equatable {
    case play
    case pause
    case playPause
    /// Stop, so that ``play`` begins at the start of the track.
    case stop
    case next
    case previous
    /// Move the position forward, or back if negative. Past the end of the track, this is ``next``.
    case seek(byMicroseconds: Int64)
    /// Move to a position in a track; without effect if that track is not the audible one any more.
    case setPosition(microseconds: Int64, track: UInt)
    /// Set the linear gain, 0 to 1.
    case setVolume(Double)
    /// Set the ratio of the speed to the usual one, within ``MediaPlayerState/rates``.
    case setRate(Double)
    /// Begin the list of tracks again after its end, or not.
    case setLooping(Bool)
    case setShuffled(Bool)
    case quit
}
