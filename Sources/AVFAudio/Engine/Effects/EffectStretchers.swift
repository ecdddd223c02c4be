// SPDX-License-Identifier: MIT

import AQCodecs
import AQGraphs
import AudioQueues

#if HAVE_TIME_PITCH
import AQTimeStretching
#endif

/// The elements that change the rate or the pitch of nodes.
enum EffectStretchers {
    /// Makes an element that changes the rate at constant pitch, and the pitch at constant rate.
    static func timePitch() -> SpeedElement {
        SpeedElement(rates: 0.25...4) { sampleRate, channels in
            #if HAVE_TIME_PITCH
            let stretcher = SoundTouchStretcher(
                sampleRate: sampleRate, channels: channels, algorithm: .spectral)
            if stretcher == nil {
                MisuseNote.write(
                    "rate and pitch are not changed: \(SoundTouchStretcher.refusal(channels: channels))")
            }
            return stretcher
            #else
            MisuseNote.write(
                "rate and pitch are not changed: this package was built without the trait 'TimePitch'")
            return nil
            #endif
        }
    }

    /// Makes an element whose pitch follows the rate.
    static func varispeed() -> SpeedElement {
        SpeedElement(rates: 0.5...2) { _, channels in
            let resampler = VarispeedResampler(channels: channels)
            if resampler == nil {
                MisuseNote.write(
                    "the rate is not changed: \(VarispeedResampler.failure ?? "out of memory")")
            }
            return resampler
        }
    }
}
