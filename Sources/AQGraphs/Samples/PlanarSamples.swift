// SPDX-License-Identifier: MIT

import Glibc

/// The samples of a slice: 32-bit floats, each channel in memory of its own.
///
/// Valid during the call that it is passed to.
@safe package struct PlanarSamples {
    // SAFETY: the maker of a value guarantees memory for its channels and frames; a part is never larger.

    package let channels: Int
    package let frames: Int
    private let table: UnsafePointer<UnsafeMutablePointer<Float>>
    private let offset: Int

    /// - Parameter table: The memory of each channel.
    @unsafe package init(_ table: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int) {
        unsafe self.init(table: table, offset: 0, channels: channels, frames: frames)
    }

    @unsafe private init(
        table: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, channels: Int, frames: Int
    ) {
        unsafe self.table = unsafe table
        self.offset = offset
        self.channels = channels
        self.frames = frames
    }

    /// The memory of a channel, for ``frames`` samples.
    @unsafe package subscript(channel: Int) -> UnsafeMutablePointer<Float> {
        unsafe table[channel] + offset
    }

    /// Returns the frames from `start` on.
    package func dropFirst(_ start: Int) -> PlanarSamples { part(from: start, count: frames - start) }

    package func prefix(_ count: Int) -> PlanarSamples { part(from: 0, count: count) }

    package func part(from start: Int, count: Int) -> PlanarSamples {
        precondition(
            start >= 0 && count >= 0 && start + count <= frames, "a part is not larger than the whole")
        return unsafe PlanarSamples(table: table, offset: offset + start, channels: channels, frames: count)
    }

    package func silence() {
        for channel in 0..<channels { unsafe self[channel].update(repeating: 0, count: frames) }
    }

    /// Copies the frames of `source`, which are not more. Channels that it does not have are silent.
    package func copy(_ source: PlanarSamples) {
        precondition(source.frames <= frames, "the source has no more frames")
        for channel in 0..<channels {
            if channel < source.channels {
                unsafe self[channel].update(from: source[channel], count: source.frames)
            } else {
                unsafe self[channel].update(repeating: 0, count: source.frames)
            }
        }
    }
}
