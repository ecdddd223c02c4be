// SPDX-License-Identifier: MIT

import Glibc
import PeerKit

// Audio Queues of this project. Each stream is a queue with --buffers buffers of --buffer-frames frames; the device
// gets the latency of all buffers together as its request. The callback is that of the queue, which fills the buffer
// and enqueues it again. The prediction is computed from the queue's time, or from the capture time of a buffer.

/// Ends the process if `action` fails.
private func attempt<Value>(_ what: String, _ action: () throws -> Value) -> Value {
    do { return try action() } catch { fail(what, "\(error)") }
}

private func run() -> Int32 {
    let options = Options.parse()
    report("version", "main")
    report("prediction", "OutputQueue.currentTime, InputBufferInfo.hostTime")
    event("create")
    if options.own.isOffline {
        attempt("cannot render") { try Offline.render(options) }
        return peer_end()
    }
    let peer = attempt("cannot make queues") { try Peer(options) }
    event("created")
    peer_start()
    attempt("cannot start") { try peer.start() }
    event("started")
    peer.waitForEnd()
    event("stop")
    attempt("cannot stop") { try peer.stop() }
    peer_stopped()
    peer.noteGranted()
    return peer_end()
}

exit(run())
