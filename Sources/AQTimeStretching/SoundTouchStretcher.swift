// SPDX-License-Identifier: MIT

package import AudioQueues
import CAQSoundTouch

/// A stretcher that changes the rate and the pitch of up to 15 channels with the SoundTouch library.
///
/// The library cuts the audio into pieces of about 60 ms and joins them where they are most similar, so that the
/// pitch is kept. To shift the pitch, it changes the sample rate and reverses the change of tempo.
@safe package final class SoundTouchStretcher: TimeStretcher {
    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer

    /// The maker of stretchers, for queues whose rate and pitch can be changed.
    package static let maker: TimeStretcherMaker = { sampleRate, channels, algorithm in
        SoundTouchStretcher(sampleRate: sampleRate, channels: channels, algorithm: algorithm)
    }

    /// Prepares a stream; nil for varispeed and for other than 1 to 15 channels, which the library does not support,
    /// and if memory is insufficient.
    package init?(sampleRate: Double, channels: Int, algorithm: TimePitchAlgorithm) {
        guard algorithm != .varispeed, 1...Int(AQ_STRETCHER_CHANNELS) ~= channels,
            let handle = unsafe aq_stretcher_create(
                sampleRate, UInt32(channels), algorithm == .timeDomain)
        else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe aq_stretcher_delete(handle) }

    package func setRate(_ rate: Double) { unsafe aq_stretcher_set_tempo(handle, rate) }

    package func setPitch(cents: Double) { unsafe aq_stretcher_set_pitch(handle, cents) }

    /// Adds frames. They are lost if memory is insufficient: the error cannot be reported, and playback continues.
    package func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard count > 0 else { return }
        unsafe _ = aq_stretcher_put(handle, frames, count)
    }

    package func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        guard capacity > 0 else { return 0 }
        return Int(unsafe aq_stretcher_take(handle, output, capacity))
    }

    package func finish() { unsafe aq_stretcher_finish(handle) }

    package func restart() { unsafe aq_stretcher_restart(handle) }
}
