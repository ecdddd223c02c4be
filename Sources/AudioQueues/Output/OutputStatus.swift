// SPDX-License-Identifier: MIT

/// The status and the counts of the current or the last run, for the client.
struct OutputStatus {
    var isRunning = false
    var failure: QueueError?
    var converterError: QueueError?
    var damagedPackets = 0
    var underruns = 0
}
