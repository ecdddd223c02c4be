// SPDX-License-Identifier: MIT

import AQDevices

/// The number of units without a device that the calling thread renders within each other.
enum RenderingThread {
    private static let count = ThreadCount()

    static var depth: Int {
        get { count.value }
        set { count.value = newValue }
    }
}
