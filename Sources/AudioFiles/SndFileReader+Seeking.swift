import CSndFile
import CoreAudioTypes
import Glibc

/// How the library is moved to a frame.
extension SndFileReader {
    /// Moves the library to a frame; false if the audio ends before.
    func move(to frame: Int64) throws(AudioFileError) -> Bool {
        if frame == nextFrame { return true }
        if isSeekable {
            try seek(to: frame)
            return true
        }
        guard frame > nextFrame else {
            throw AudioFileError(.notSeekable, "frame \(frame) has passed, and it can only be read forwards")
        }
        return skip(to: frame)
    }

    private func seek(to frame: Int64) throws(AudioFileError) {
        guard unsafe sf_seek(handle.pointer, frame, CInt(SEEK_SET)) == frame else {
            throw AudioFileError(
                .unreadable, "seeking to frame \(frame) failed: \(handle.failure ?? "no reason given")")
        }
        nextFrame = frame
    }

    /// Reads up to a frame; false if the audio ends before.
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
}
