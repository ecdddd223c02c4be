// SPDX-License-Identifier: MIT

import AQFiles

/// A file on a server, whose bytes are requested when they are read, and some in advance.
///
/// Used by one thread at a time, except for ``cancel()``.
final class RemoteFile: RandomAccessBytes {
    let byteCount: Int64
    private let fetcher: RemoteFileFetcher

    init(
        _ facts: RemoteFileFacts, client: HTTPClient, options: NetworkInput.Options
    ) throws(NetworkError) {
        byteCount = facts.byteCount
        fetcher = RemoteFileFetcher(facts, client: client, options: options)
        try fetcher.start()
    }

    deinit { fetcher.cancel() }

    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        do throws(NetworkError) {
            return try unsafe fetcher.read(at: offset, into: memory)
        } catch {
            throw AudioFileError(.unreadable, error.reason)
        }
    }

    /// Ends all reads. Called by any thread.
    func cancel() { fetcher.cancel() }

    /// Waits until the next bytes are in memory, or cannot be had; returns false if the time limit passed.
    func wait(milliseconds: Int64) -> Bool { fetcher.wait(milliseconds: milliseconds) }

    /// Whether a reader waits for bytes.
    var isAwaited: Bool { fetcher.isAwaited }
}
