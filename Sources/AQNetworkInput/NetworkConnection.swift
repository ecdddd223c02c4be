// SPDX-License-Identifier: MIT

import AQThreads

/// The client, threads and buffers of an input. They end when the input and the files that read from it are released.
final class NetworkConnection: Sendable {
    struct Parts {
        var client: HTTPClient?
        var buffer: ArrivalBuffer?
        /// The file, which its reader owns.
        weak var file: RemoteFile?
        var station: StationFacts?
        var isCancelled = false
    }

    private let state = Monitor(Parts())

    deinit {
        // A file is read without the connection, and ends with its reader.
        let parts = self.parts
        parts.buffer?.close()
        parts.client?.cancel()
    }

    var parts: Parts { state.withLock { $0 } }

    /// Changes the parts.
    ///
    /// - Throws: `cancelled` after ``cancel()``, which then ends the new parts too.
    func update(_ change: (inout Parts) -> Void) throws(NetworkError) {
        let isCancelled = state.withLock { parts in
            change(&parts)
            return parts.isCancelled
        }
        guard isCancelled else { return }
        cancel()
        throw NetworkError(.cancelled, "it was cancelled")
    }

    /// Ends all threads and waits. Called by any thread.
    func cancel() {
        let parts = state.withLock { parts in
            parts.isCancelled = true
            return parts
        }
        parts.buffer?.close()
        parts.client?.cancel()
        parts.file?.cancel()
    }
}
