// SPDX-License-Identifier: MIT

import AudioQueues

#if HAVE_TIME_PITCH
import TimeStretching
#endif

/// The time stretcher of queues, if it was built in.
enum QueueStretcher {
    static var maker: TimeStretcherMaker? {
        #if HAVE_TIME_PITCH
        SoundTouchStretcher.maker
        #else
        nil
        #endif
    }
}
