// SPDX-License-Identifier: MIT

import CAQRealTime

/// The stream position that the server last reported, in device frames.
struct PulseTiming {
    /// The next frame that the sink takes, at `hostTime`.
    var readFrames = 0.0
    /// The frame that was audible at `hostTime`.
    var playedFrames = 0.0
    var hostTime: UInt64 = 0
    /// Whether the sink takes frames: the stream is neither corked nor in an underrun.
    var isMoving = false
    /// Whether an answer has arrived for the current server stream.
    var isValid = false
    /// The time from when the sink takes a frame until the frame is audible, in seconds.
    var sinkSeconds = 0.0
    /// The largest block that the sink takes at once, in frames, unless another client requests less.
    var sinkBlockFrames = 0
    /// The next frame that the sink takes when the server last requested data, and the host time of that request; 0 if
    /// there was none.
    var requestReadFrames = 0.0
    var requestHostTime: UInt64 = 0

    /// The time that a write may take to reach the sink's thread, in seconds.
    static let writeSeconds = 0.003
    /// The time that is assumed if too few frames would be left for a fade-out, in seconds.
    static let quickWriteSeconds = 0.001

    /// The number of frames that the sink has taken and not played, and can still give back.
    ///
    /// A sink with a latency of more than 100 ms cannot give back more, or has just woken and holds silence.
    func revocableFrames(sampleRate: Double) -> Int { Int(min(sinkSeconds, 0.1) * sampleRate) }

    /// The frame that is audible now.
    func playedFrames(at now: UInt64, sampleRate: Double) -> Double {
        let elapsed = isMoving && now > hostTime ? Double(now - hostTime) / 1e9 * sampleRate : 0
        return playedFrames + elapsed
    }

    /// Stops the positions where they are now: the sink takes no more frames.
    mutating func stop(at now: UInt64, sampleRate: Double, limit: Int64) {
        guard isValid else { return }
        (readFrames, playedFrames) = (
            readFrames(at: now, sampleRate: sampleRate, limit: limit),
            min(playedFrames(at: now, sampleRate: sampleRate), Double(limit))
        )
        (hostTime, isMoving) = (now, false)
    }

    /// The next frame for the sink now, at most `limit`.
    func readFrames(at now: UInt64, sampleRate: Double, limit: Int64) -> Double {
        guard isValid else { return 0 }
        let elapsed = isMoving && now > hostTime ? Double(now - hostTime) / 1e9 * sampleRate : 0
        return min(readFrames + elapsed, Double(limit))
    }

    /// The first frame that the sink has certainly not taken when a write made now arrives, at most `limit`.
    ///
    /// A sink takes whole blocks. An answer does not contain the position within a block, so one block is added for
    /// safety. The server's data requests are more precise, because they follow each block that the sink takes. The
    /// sink takes the next block when it has played that one, so in the long run it takes no more than it plays. The
    /// length of a block is unknown: it is at most the granted one, and shorter if another client requested less.
    ///
    /// - Parameter writeSeconds: The time that the write may take.
    func rewritableFrame(
        at now: UInt64, writeSeconds: Double = PulseTiming.writeSeconds, sampleRate: Double, limit: Int64
    ) -> Int64 {
        let writeFrames = writeSeconds * sampleRate
        let blockFrames = Double(isMoving ? sinkBlockFrames : 0)
        var frame = readFrames(at: now, sampleRate: sampleRate, limit: limit) + writeFrames + blockFrames
        if isValid, blockFrames > 0, requestHostTime != 0, now >= requestHostTime {
            let readThen = readFrames(at: requestHostTime, sampleRate: sampleRate, limit: limit)
            // A request that contradicts the answers is ignored.
            if requestReadFrames >= readThen - writeFrames {
                let hasAll = playedFrames(at: now, sampleRate: sampleRate) + writeFrames < requestReadFrames
                let played = Double(now - requestHostTime) / 1e9 * sampleRate + writeFrames
                frame = min(frame, requestReadFrames + (hasAll ? 0 : played))
            }
        }
        return min(limit, Int64(frame.rounded(.up)))
    }
}
