// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A session, for the threads of its recordings.
struct WeakCaptureSession: @unchecked Sendable {
    // SAFETY: the session protects its state by locks.
    weak var session: AVCaptureSession?

    /// Stops the session on another thread, because a recording cannot wait for its own end.
    func stop(because failure: NSError) {
        DispatchQueue.global().async { session?.stop(because: failure) }
    }
}
