// SPDX-License-Identifier: MIT

import AQDevices
import Synchronization

/// Whether the kernel gives threads of this process real-time priority.
let kernelGrantsRealTime: Bool = {
    let granted = Monitor<Bool?>(nil)
    let status = DetachedThread.start(named: "priority test") {
        let isGranted = ThreadPriority.makeRealTimeForCallbacks().answer == .granted
        granted.withLock { $0 = isGranted }
        granted.notifyAll()
    }
    guard status == 0 else { return false }
    _ = granted.wait(until: .max) { $0 == nil }
    return granted.withLock { $0 } ?? false
}()
