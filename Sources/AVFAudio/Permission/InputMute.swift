// SPDX-License-Identifier: MIT

import Synchronization

/// Whether the program's input is muted, for threads that must not wait.
enum InputMute {
    /// The same as the session's setting.
    static let isMuted = Atomic<Bool>(false)
}
