// SPDX-License-Identifier: MIT

import AQDevices

/// The calling thread's place in graphs, by which calls avoid that threads wait for each other.
enum GraphThread {
    /// The number of slices of graphs that the thread renders within each other.
    static let slices = ThreadCount()
    /// The number of calls that change units, in which the thread is within each other: listeners make calls as well.
    static let calls = ThreadCount()

    /// Whether the thread runs a callback of a unit. A call there does not wait for another thread, which may be
    /// waiting for the callback.
    static var isCallback: Bool { slices.value > 0 || ServingThread.current != nil }
}
