// SPDX-License-Identifier: MIT

import CAQRealTime

/// The calls that a device makes to its stream: for captured frames, and for the loss and return of the device.
extension SoftwareInputStream {
    /// Takes captured native-endian frames, the first of them at `hostTime`; nil for silent frames.
    ///
    /// - Parameter isHole: Whether the frames are silent because the device had no data for them.
    func capture(_ data: UnsafeRawPointer?, frames: Int, isHole: Bool = false, hostTime: UInt64) {
        state.withLock { state in
            state.deviceFrames += Double(max(0, frames))
            guard state.mode == .running, frames > 0 else { return }
            noteStart(&state)
            let early = takeEarly(&state, frames: frames, hostTime: hostTime)
            guard early < frames else { return }
            let firstTime = hostTime &+ nanoseconds(early)
            let wanted = frames - early
            if isHole { state.clock.holeFrames += Int64(wanted) }
            anchor(&state, adding: wanted, at: firstTime &+ nanoseconds(wanted))
            guard let data = unsafe data else { return addSilence(frames: wanted, hostTime: firstTime) }
            let first = unsafe data + early * filler.bytesPerFrame
            held.drain()
            unsafe filler.measure(first, frames: wanted, endFrame: timelineFrame + Int64(wanted))
            let done = held.isEmpty ? unsafe filler.fill(first, frames: wanted, hostTime: firstTime) : 0
            if done < wanted {
                unsafe held.append(
                    first + done * filler.bytesPerFrame, frames: wanted - done,
                    hostTime: firstTime &+ nanoseconds(done))
                handOutHeld()
            }
        }
    }

    /// Takes as many captured frames as there is room for, if the first is the next on the timeline.
    ///
    /// - Returns: The number of frames taken.
    func captureFitting(
        _ data: UnsafeRawPointer, frames: Int, fromFrame: Int64, hostTime: UInt64
    ) -> Int {
        state.withLock { state in
            guard state.mode == .running, filler.frame == fromFrame, filler.hasRoom else { return 0 }
            guard state.startHostTime <= hostTime else { return 0 }
            state.startHostTime = 0
            noteStart(&state)
            let done = unsafe filler.fill(data, frames: frames, hostTime: hostTime)
            unsafe filler.measure(data, frames: done, endFrame: filler.frame)
            anchor(&state, at: hostTime)
            return done
        }
    }

    /// Stops the stream's clock because the device is gone.
    func interrupt() {
        state.withLock { state in
            guard state.mode == .running else { return }
            state.mode = .interrupted
            state.breaks += 1
            runClock(&state, false)
            feed.post(.interrupted)
        }
    }

    /// Continues after the return of the device, with `missingFrames` frames of silence.
    func resume(missingFrames: Int) {
        state.withLock { state in
            guard state.mode == .interrupted else { return }
            state.deviceFrames += Double(max(0, missingFrames))
            // No frames are missing before the start time.
            let missing = state.startHostTime == 0 ? max(0, min(missingFrames, 1 << 40)) : 0
            state.mode = .running
            state.clock.interruptions += 1
            state.clock.interruptedFrames += Int64(missing)
            runClock(&state, true, adding: missing)
            feed.post(.resumed)
            let now = aq_host_time()
            let missed = nanoseconds(missing)
            addSilence(frames: missing, hostTime: now > missed ? now - missed : 0)
        }
    }

    /// Ends the stream: returns the captured frames, and reports the error.
    func fail(_ error: DeviceError) {
        state.withLock { state in
            if state.mode == .closed { return }
            giveBackAll()
            state.mode = .idle
            runClock(&state, false)
            feed.fail(error)
        }
        state.notifyAll()
    }
}
