// SPDX-License-Identifier: MIT

import AQThreads

/// Receives the segments of an HLS stream (RFC 8216), on a thread of its own, and passes their audio to a buffer.
///
/// Segments are requested one after another, and passed on only when they are complete, so that a lost connection
/// leaves no gap if the segment can be requested again.
final class HLSFetcher: @unchecked Sendable {
    // SAFETY: `buffer` and the client's `cancel` may be used by any thread; everything else is used by the fetcher's
    // thread alone.
    private let client: HTTPClient
    private let buffer: ArrivalBuffer
    private let options: NetworkInput.Options
    /// The media playlists that can be played, the best first.
    private var choices: [RemoteAddress]
    private var choice = 0
    /// The media playlist, if it was received already.
    private var playlist: HLSMediaPlaylist?
    /// The address of the media playlist after redirections, and the time of its request.
    private var base: RemoteAddress
    private var requestTime = MonotonicTime.seconds
    private var segments: HLSSegments
    private var schedule: ReconnectSchedule
    /// The sequence number of the next segment; nil before the first.
    private var nextNumber: Int64?
    /// The time of the last change of the playlist, in seconds of the monotonic clock.
    private var lastChange = MonotonicTime.seconds

    /// The number of a live stream's last segments with which it begins.
    private static let liveSegments = 3
    private static let mostSegmentBytes = 64 << 20

    /// - Parameters:
    ///   - bytes: The playlist at `address`.
    ///   - client: A client that is not used by others.
    /// - Throws: `badResponse` if the playlist is not valid, or has nothing that can be played.
    init(
        _ bytes: [UInt8], at address: RemoteAddress, client: HTTPClient, buffer: ArrivalBuffer,
        options: NetworkInput.Options
    ) throws(NetworkError) {
        self.client = client
        self.buffer = buffer
        self.options = options
        segments = HLSSegments(buffer: buffer, splits: options.splitsBroadcasts)
        schedule = ReconnectSchedule(limitSeconds: options.reconnectSeconds)
        base = address
        switch try Self.parse(bytes) {
        case .media(let media): (choices, playlist) = ([address], media)
        case .master(let master):
            choices = HLSVariantChoice.all(in: master).compactMap { address.resolved($0.reference) }
            guard !choices.isEmpty else {
                throw NetworkError(.badResponse, "the HLS playlist has no audio that can be played")
            }
        }
    }

    /// Starts the thread.
    func start() throws(NetworkError) {
        let number = DetachedThread.start(named: "aq network") { [self] in
            do throws(NetworkError) {
                try run()
                buffer.end(nil)
            } catch { buffer.end(error) }
        }
        guard number == 0 else { throw NetworkError(.noConnection, "no thread can be created") }
    }

    // MARK: The thread

    private func run() throws(NetworkError) {
        while true {
            let media: HLSMediaPlaylist
            if let playlist { media = playlist } else { media = try loadPlaylist() }
            playlist = nil
            let hadNew = try receiveSegments(of: media)
            if media.hasEnded { return }
            try waitForNews(media, hadNew: hadNew)
        }
    }

    /// Receives the segments that are new in the playlist; returns whether there were any.
    private func receiveSegments(of media: HLSMediaPlaylist) throws(NetworkError) -> Bool {
        var hadNew = false
        for segment in media.segments.dropFirst(firstIndex(in: media)) {
            hadNew = true
            nextNumber = segment.sequenceNumber &+ 1
            if let method = segment.encryptionMethod {
                throw NetworkError(
                    .badResponse, "its segments are encrypted (\(method)), which is not supported")
            }
            guard !segment.isGap, let address = base.resolved(segment.reference) else {
                segments.skip()
                continue
            }
            guard let bytes = try receive(address, segment.byteRange) else {
                segments.skip()
                continue
            }
            try begin(segment)
            try segments.append(bytes)
            if buffer.isOver { throw NetworkError(.cancelled, "it was cancelled") }
        }
        return hadNew
    }

    /// The index of the first segment that has not been received.
    private func firstIndex(in media: HLSMediaPlaylist) -> Int {
        guard let nextNumber else {
            return media.hasEnded || media.kind == .event
                ? 0 : max(0, media.segments.count - Self.liveSegments)
        }
        guard let first = media.segments.first, let last = media.segments.last else { return 0 }
        if nextNumber < first.sequenceNumber {
            options.notice?("segments were missed, because they are no longer in the playlist")
            segments.skip()
            return 0
        }
        // A number far beyond the list is that of an earlier run of the server.
        if nextNumber > last.sequenceNumber &+ Int64(Self.liveSegments) {
            segments.skip()
            return max(0, media.segments.count - Self.liveSegments)
        }
        return min(Int(nextNumber - first.sequenceNumber), media.segments.count)
    }

    private func begin(_ segment: HLSMediaPlaylist.Segment) throws(NetworkError) {
        guard segments.mustInitialize(segment) else { return }
        var bytes: [UInt8] = []
        if let initialization = segment.initialization {
            guard let address = initialization.reference.flatMap({ base.resolved($0) }),
                let received = try receive(address, initialization.byteRange)
            else { throw NetworkError(.badResponse, "the header of its segments cannot be received") }
            bytes = received
        }
        segments.initialize(segment, bytes)
    }

    /// Receives a segment, with as many attempts as it takes; nil if the server does not have it.
    private func receive(
        _ address: RemoteAddress, _ range: Range<Int64>?
    ) throws(NetworkError) -> [UInt8]? {
        while true {
            let start = MonotonicTime.seconds
            do throws(NetworkError) {
                var request = HTTPRequest(address)
                request.range = range.map { .init(start: $0.lowerBound, end: $0.upperBound) }
                let (bytes, response) = try client.download(
                    request, limit: Self.mostSegmentBytes, "a segment")
                schedule.reset()
                guard let range else { return bytes }
                if response.status == 206 { return bytes }
                // The server has sent all of the file.
                guard range.upperBound <= Int64(bytes.count) else { return nil }
                return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            } catch {
                if case .status(let status) = error.kind, [403, 404, 410].contains(status) {
                    options.notice?("a segment is missing: \(error.reason)")
                    return nil
                }
                try pause(after: error, lastSeconds: MonotonicTime.seconds - start)
            }
        }
    }

    private func loadPlaylist() throws(NetworkError) -> HLSMediaPlaylist {
        while true {
            requestTime = MonotonicTime.seconds
            do throws(NetworkError) {
                let (bytes, response) = try client.download(
                    HTTPRequest(choices[choice]), limit: HLSPlaylist.mostBytes, "the playlist")
                base = RemoteAddress(response.address) ?? choices[choice]
                guard case .media(let media) = try Self.parse(bytes) else {
                    throw NetworkError(.badResponse, "an HLS playlist of variants names another of its kind")
                }
                schedule.reset()
                return media
            } catch {
                try pause(after: error, lastSeconds: MonotonicTime.seconds - requestTime)
            }
        }
    }

    /// Waits until a live playlist may have changed. Takes another playlist if this one does not change any more.
    private func waitForNews(_ media: HLSMediaPlaylist, hadNew: Bool) throws(NetworkError) {
        let target = min(max(media.targetSeconds, 0.5), 60)
        if hadNew { lastChange = MonotonicTime.seconds }
        let stalledSeconds = MonotonicTime.seconds - lastChange
        if stalledSeconds > max(options.reconnectSeconds, 3 * target) {
            throw NetworkError(.silence, "its playlist has not changed for \(Int(stalledSeconds)) s")
        }
        if stalledSeconds > 3 * target, choices.count > 1 {
            choice = (choice + 1) % choices.count
            options.notice?("its playlist does not change; trying another variant")
            segments.skip()
        }
        // Segments took a part of the time.
        let seconds = (hadNew ? target : target / 2) - (MonotonicTime.seconds - requestTime)
        guard buffer.pause(nanoseconds: UInt64(max(seconds, 0.1) * 1e9)) else {
            throw NetworkError(.cancelled, "it was cancelled")
        }
    }

    private func pause(after failure: NetworkError, lastSeconds: Double) throws(NetworkError) {
        guard
            let delay = schedule.pause(after: failure, lastSeconds: lastSeconds, notice: options.notice)
        else { throw failure }
        guard buffer.pause(nanoseconds: delay) else {
            throw NetworkError(.cancelled, "it was cancelled")
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(NetworkError) -> HLSPlaylist {
        do throws(HLSPlaylistError) { return try HLSPlaylist(bytes) } catch {
            throw NetworkError(.badResponse, "the HLS playlist is not valid: \(error.reason)")
        }
    }
}
