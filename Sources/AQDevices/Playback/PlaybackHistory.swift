// SPDX-License-Identifier: MIT

import CAQRealTime

/// The last frames passed to the device, before gain, so that they can be sent again.
///
/// The contents of a server's buffer are lost if the server dies, and must be rewritten to apply a fade or a new gain.
/// Frames are numbered from the first frame that the stream ever took.
@safe struct PlaybackHistory: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private(set) var capacityFrames: Int
    private let bytesPerFrame: Int
    /// One past the newest frame.
    private(set) var endFrame: Int64 = 0
    /// The oldest frame kept.
    private(set) var startFrame: Int64 = 0

    init(capacityFrames: Int, bytesPerFrame: Int) {
        self.capacityFrames = max(1, capacityFrames)
        self.bytesPerFrame = bytesPerFrame
        unsafe memory = .allocate(byteCount: self.capacityFrames * bytesPerFrame, alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// The number of frames to keep so that everything held by a server and its sink can be replayed. REAL-TIME.
    @_noLocks static func frames(forHeldFrames frames: Int) -> Int { frames + frames / 2 + 1024 }

    /// Appends frames and drops the oldest. `frames` is at most the capacity. REAL-TIME.
    @_noLocks mutating func append(_ source: UnsafeRawPointer, frames: Int) {
        let slot = Int(endFrame % Int64(capacityFrames))
        let first = min(frames, capacityFrames &- slot)
        unsafe aq_copy(memory + slot &* bytesPerFrame, source, first &* bytesPerFrame)
        if frames > first {
            unsafe aq_copy(memory, source + first &* bytesPerFrame, (frames &- first) &* bytesPerFrame)
        }
        endFrame &+= Int64(frames)
        startFrame = max(startFrame, endFrame &- Int64(capacityFrames))
    }

    /// Copies frames from `frame` on, which must all be in the history. REAL-TIME.
    @_noLocks func copy(from frame: Int64, frames: Int, to target: UnsafeMutableRawPointer) {
        let slot = Int(frame % Int64(capacityFrames))
        let first = min(frames, capacityFrames &- slot)
        unsafe aq_copy(target, memory + slot &* bytesPerFrame, first &* bytesPerFrame)
        if frames > first {
            unsafe aq_copy(target + first &* bytesPerFrame, memory, (frames &- first) &* bytesPerFrame)
        }
    }

    /// Drops every frame, so that none is replayed. REAL-TIME.
    @_noLocks mutating func clear() { startFrame = endFrame }

    /// Makes room for more frames, and keeps the existing ones. Allocates: not for the audio path.
    mutating func grow(toFrames frames: Int) {
        guard frames > capacityFrames else { return }
        var larger = PlaybackHistory(capacityFrames: frames, bytesPerFrame: bytesPerFrame)
        larger.startFrame = startFrame
        larger.endFrame = startFrame
        var frame = startFrame
        while frame < endFrame {
            let slot = Int(frame % Int64(capacityFrames))
            let run = min(Int(endFrame - frame), capacityFrames - slot)
            unsafe larger.append(memory + slot * bytesPerFrame, frames: run)
            frame += Int64(run)
        }
        self = larger
    }
}
