// SPDX-License-Identifier: MIT

import CAQSndFile
import CoreAudioTypes
import Glibc

extension SndFileReader {
    /// Moves the library to a frame; returns false if the audio ends before it.
    func move(to frame: Int64) throws(AudioFileError) -> Bool {
        if frame == nextFrame { return true }
        if isSeekable {
            switch Int(handle.info.format) & SF_FORMAT_SUBMASK {
            case SF_FORMAT_VORBIS: return try moveInVorbis(to: frame)
            case SF_FORMAT_OPUS: return try move(to: frame, from: max(frame - Self.endFramesOfOpus, 0))
            default: break
            }
            try seek(to: frame)
            return true
        }
        guard frame > nextFrame else {
            throw AudioFileError(.notSeekable, "frame \(frame) has passed, and it can only be read forwards")
        }
        return skip(to: frame)
    }

    func seek(to frame: Int64) throws(AudioFileError) {
        guard
            unsafe sf_seek(handle.pointer, frame, CInt(SEEK_SET)) == frame
                || repair() && sf_seek(handle.pointer, frame, CInt(SEEK_SET)) == frame
        else {
            throw AudioFileError(
                .unreadable, "seeking to frame \(frame) failed: \(handle.failure ?? "no reason given")")
        }
        nextFrame = frame
    }

    /// Moves to a frame of a Vorbis stream: seeks to a position where the library is exact, and reads on from there.
    ///
    /// QUIRK: libsndfile 1.2 counts back from the end of a page, and assumes that the last page ends with its audio,
    /// but the last packet may extend beyond. And if it moves less than two seconds without a search, it miscounts by
    /// one packet, unless nothing was decoded since the start.
    private func moveInVorbis(to frame: Int64) throws(AudioFileError) -> Bool {
        var first = frame
        if let frameCount {
            let frames = min(ending?.lastPageFrames ?? .max, Self.mostFramesPerPage)
            first = max(min(frame, frameCount - frames), 0)
        }
        if frame > nextFrame, frame - nextFrame <= Self.nearFrames { return skip(to: frame) }
        if frame < nextFrame || nextFrame < first { try seek(to: 0) }
        return try move(to: frame, from: first)
    }

    /// Reads up to a frame from an earlier one, or from the library's position if it is between the two.
    ///
    /// QUIRK: after decoding the last packet of an Opus stream, libsndfile 1.2 cannot seek correctly to another frame
    /// of that packet. For a file with only one packet there is no workaround.
    private func move(to frame: Int64, from first: Int64) throws(AudioFileError) -> Bool {
        if !(first...frame ~= nextFrame) { try seek(to: first) }
        return skip(to: frame)
    }

    /// Reads up to a frame; returns false if the audio ends before it.
    func skip(to frame: Int64) -> Bool {
        let frameBytes = Int(format.mBytesPerFrame)
        let skipped = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * frameBytes, alignment: 16)
        defer { unsafe skipped.deallocate() }
        while nextFrame < frame {
            let frames = Int(min(Int64(skipped.count / frameBytes), frame - nextFrame))
            guard unsafe read(frames: frames, frameBytes: frameBytes, into: skipped) > 0 else { return false }
        }
        return true
    }

    /// The largest number of frames per page: 255 of the longest packets that encoders produce.
    private static let mostFramesPerPage: Int64 = 255 * 4096
    /// The number of frames of two Opus packets at the highest rate.
    private static let endFramesOfOpus: Int64 = 2 * 5760
    /// The distance up to which reading is faster than seeking, in frames.
    private static let nearFrames: Int64 = 8192
}
