// SPDX-License-Identifier: MIT

import AQThreads

/// Audio behind an HTTP or HTTPS address: a file, a radio station, a live stream, or the first of a playlist.
///
/// Requests are made by libcurl, which is loaded when the first address is opened. Certificates are checked. A file
/// whose server sends parts of it can be read at any offset; all else is read forwards.
///
/// A broadcast may consist of several files: another begins after a lost connection, and with each title in Ogg. Read
/// the first to its end, then call ``openNext()``.
///
/// Used by one thread at a time, except for ``cancel()`` and the properties that show its state.
public final class NetworkInput: @unchecked Sendable {
    // SAFETY: `connection` may be used by any thread; `program` is used by the thread that opens and reads.

    /// The settings of an input.
    public struct Options: Sendable {
        /// The name of the program in requests, such as "aqplay/0.2.0".
        public var userAgent: String
        /// The duration of audio that arrives before reading begins, in seconds. After each gap it doubles, up to 10
        /// seconds: see ``fillAgain()``.
        public var bufferSeconds = 1.0
        /// The time for which a lost connection is tried again, in seconds.
        public var reconnectSeconds = 300.0
        /// Whether a broadcast that continues after a lost connection, with another title in Ogg, or after a
        /// discontinuity in HLS, is read as another file (``openNext()``); otherwise all bytes are one file.
        public var splitsBroadcasts = true
        /// Whether a stream whose server states no size is read to its end if `open(isEndNeeded: true)` requests this. If
        /// it has no end, opening then takes until ``NetworkInput/endStream()``.
        public var awaitsUnknownEnd = true
        /// Receives a line without the address when a connection was lost, on a thread of the input.
        public var notice: (@Sendable (String) -> Void)?

        /// The time without data after which a connection counts as lost, in seconds.
        var silentSeconds = 10

        /// Options with default values.
        public init(userAgent: String) { self.userAgent = userAgent }
    }

    /// The state of the input, for a display.
    public enum State: Sendable, Equatable {
        /// The first response is awaited.
        case connecting
        /// Reading waits for bytes: the fraction of them that has arrived, 0 to 1.
        case buffering(Double)
        /// Bytes are available.
        case ready
    }

    /// The address. Its description has no password.
    public let address: RemoteAddress
    let options: Options
    let connection = NetworkConnection()
    /// The file of the stream that is being read.
    var program: ProgramStream?

    /// Makes an input, and requests nothing.
    public init(_ address: RemoteAddress, options: Options) {
        self.address = address
        self.options = options
    }

    /// Ends all threads and waits of the input, for ever: reading fails. Called by any thread.
    ///
    /// They also end when the input and its files are released.
    public func cancel() { connection.cancel() }

    /// Waits until bytes can be read, or until there will be none; returns false if the time limit passed.
    ///
    /// A read may wait nevertheless, if it needs more bytes than usual. Called by any thread.
    public func wait(milliseconds: Int64) -> Bool {
        let parts = connection.parts
        if parts.isCancelled { return true }
        if let file = parts.file { return file.wait(milliseconds: milliseconds) }
        return parts.buffer?.wait(milliseconds: milliseconds) ?? true
    }

    /// Waits for more bytes than before when ``wait(milliseconds:)`` is called next, after a gap in the audio. Called by
    /// any thread.
    ///
    /// - Parameter enqueuedSeconds: The duration of the audio that was read and is not yet played.
    /// - Returns: False without effect if enough has arrived, and for files.
    public func fillAgain(enqueuedSeconds: Double) -> Bool {
        connection.parts.buffer?.fillAgain(enqueuedSeconds: enqueuedSeconds) ?? false
    }

    /// Runs a closure that may wait for servers on a new thread.
    ///
    /// - Returns: False if the system cannot create a thread; the closure is then released.
    public static func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
        DetachedThread.start(named: "aq network", stackBytes: 1 << 20, body) == 0
    }

    /// Whether ``cancel()`` was called. Called by any thread.
    public var isCancelled: Bool { connection.parts.isCancelled }

    /// Ends a stream after the bytes that have arrived, as if its server had ended it. Called by any thread.
    public func endStream() {
        let parts = connection.parts
        parts.buffer?.end(nil)
        parts.client?.cancel()
    }

    /// Whether the input is a stream without an end. Called by any thread.
    public var isBroadcast: Bool { connection.parts.station?.isBroadcast ?? false }

    /// Whether the input is a stream that may have no end: a broadcast, or a stream whose server states no size. Called by
    /// any thread.
    public var mayBeEndless: Bool { connection.parts.station?.mayBeEndless ?? false }

    /// The size of a file on the server, in bytes; nil for streams. Called by any thread.
    public var byteCount: Int64? { connection.parts.file?.byteCount }

    /// The state of the input. Called by any thread.
    public var state: State {
        let parts = connection.parts
        if let file = parts.file { return file.isAwaited ? .buffering(0) : .ready }
        guard let buffer = parts.buffer, parts.station != nil else { return .connecting }
        return switch buffer.state {
        case .playing: .ready
        case .filling(let fraction): .buffering(fraction)
        }
    }

    /// The title that the stream states at the reading position; nil if it states none. Called by any thread.
    public var title: String? { connection.parts.buffer?.title }

    /// Waits until the first title of a broadcast has arrived, or as much audio as precedes titles.
    ///
    /// - Returns: The title; nil if there is none, and for files. Called by any thread.
    public func waitForTitle() -> String? {
        let parts = connection.parts
        return parts.buffer?.waitForTitle(within: Int64(clamping: parts.station?.titleInterval ?? 0))
    }

    /// The name and properties that a stream states; nil before it is open, and for files. Called by any thread.
    public var station: StationFacts? { connection.parts.station }
}
