// SPDX-License-Identifier: MIT

import AQCodecs
import AudioQueues

#if HAVE_TIME_PITCH
import AQTimeStretching
#endif

/// The time stretcher of queues and units, if it was built in.
enum QueueStretcher {
    static var maker: TimeStretcherMaker? {
        #if HAVE_TIME_PITCH
        SoundTouchStretcher.maker
        #else
        nil
        #endif
    }

    /// Makes a stretcher of units, which keeps the pitch.
    static let slices: SliceStretcherMaker = { sampleRate, channels in
        maker?(sampleRate, channels, .spectral)
    }
}
