// SPDX-License-Identifier: MIT

import Glibc
import AQThreads

/// Receives what is behind an address on a thread of its own, and keeps a broadcast going when its connection is lost.
///
/// The first response shows what the address is: see ``Discovery``. A file ends the thread after its first bytes, and a
/// playlist after its last; the bytes of a stream arrive in ``buffer``.
final class StreamFetcher: HTTPReceiver, @unchecked Sendable {
    // SAFETY: `discovery`, `buffer` and the client's `cancel` may be used by any thread; everything else is used by the
    // fetcher's thread alone.
    private let client: HTTPClient
    private let buffer: ArrivalBuffer
    private let options: NetworkInput.Options
    private let address: RemoteAddress
    private let discovery = Monitor<Result<Discovery, NetworkError>?>(nil)

    private var isDiscovered = false
    /// The response whose kind is not known yet, and its first bytes.
    private var head: [UInt8] = []
    private var response = HTTPResponse()
    private var kind = ContentKind.unknown
    private var form = Form.undecided
    private var schedule: ReconnectSchedule
    /// The reason why the first response is not used.
    private var refusal: NetworkError?

    /// The treatment of the present response's bytes.
    private enum Form {
        case undecided, broadcast, download, file, playlist
    }

    /// The bytes of the present answer; nil if there is none.
    private var answer: AnswerDigest?
    /// The bytes of the last answer that had any.
    private var lastAnswer: AnswerDigest?

    private var icy: IcyDemultiplexer?
    private var ogg: OggChainSplitter?
    /// The first response of a download, to compare later ones with.
    private var firstResponse: HTTPResponse?
    /// The number of bytes to skip, because a server sends a download from its beginning again.
    private var bytesToSkip: Int64 = 0

    /// The number of first bytes that show what a response is.
    private static let headBytes = 512
    /// The number of first bytes of a file that are kept.
    private static let fileHeadBytes = 128 << 10
    /// The largest size of a playlist.
    private static let mostPlaylistBytes = HLSPlaylist.mostBytes

    init(
        _ address: RemoteAddress, client: HTTPClient, buffer: ArrivalBuffer, options: NetworkInput.Options
    ) {
        self.client = client
        self.address = address
        self.buffer = buffer
        self.options = options
        schedule = ReconnectSchedule(limitSeconds: options.reconnectSeconds)
    }

    /// Starts the thread, and waits for the first response.
    func discover() throws(NetworkError) -> Discovery {
        let number = DetachedThread.start(named: "aq network") { [self] in run() }
        guard number == 0 else { throw NetworkError(.noConnection, "no thread can be created") }
        _ = discovery.wait(until: .max) { $0 == nil }
        return try discovery.withLock { $0 ?? .failure(NetworkError(.cancelled, "it was cancelled")) }.get()
    }

    private func settle(_ result: Result<Discovery, NetworkError>) {
        guard !isDiscovered else { return }
        isDiscovered = true
        discovery.withLock { $0 = result }
        discovery.notifyAll()
    }

    // MARK: The thread

    private func run() {
        while true {
            let start = MonotonicTime.seconds
            let bytesBefore = buffer.receivedBytes
            answer = nil
            var failure: NetworkError?
            do throws(NetworkError) {
                try client.get(request(), self)
                try endOfResponse()
            } catch { failure = error }
            guard isDiscovered, form == .broadcast || form == .download else {
                settle(.failure(failure ?? NetworkError(.badResponse, "the server sent nothing")))
                return
            }
            if failure == nil, form == .download { return buffer.end(nil) }
            let isRepetition = answer == lastAnswer
            if let answer, !answer.isEmpty {
                // Such a station is a file: a third time would be no different.
                if isRepetition, failure == nil {
                    options.notice?("the server only sends the same audio again")
                    return buffer.end(nil)
                }
                lastAnswer = answer
            }
            let hasNews = buffer.receivedBytes > bytesBefore && !isRepetition
            if hasNews { schedule.reset() }
            let reason = failure ?? NetworkError(.noConnection, "the broadcast has ended")
            // Without a length, and so without a way to continue, it is taken for a broadcast.
            if form == .download, response.contentLength == nil { form = .broadcast }
            guard
                reconnect(
                    after: reason, lastSeconds: MonotonicTime.seconds - start,
                    isAnswered: answer != nil && !hasNews)
            else { return }
        }
    }

    /// Waits before the next attempt; returns false if there is none.
    private func reconnect(after reason: NetworkError, lastSeconds: Double, isAnswered: Bool) -> Bool {
        guard
            let delay = schedule.pause(
                after: reason, lastSeconds: lastSeconds, isAnswered: isAnswered, notice: options.notice)
        else {
            buffer.end(reason)
            return false
        }
        if form == .broadcast, options.splitsBroadcasts { buffer.appendBoundary(isLoss: true) }
        return buffer.pause(nanoseconds: delay)
    }

    private func request() -> HTTPRequest {
        // A station may redirect each listener to another server, so the first address is used again.
        var request = HTTPRequest(address)
        request.wantsTitles = form != .download
        if form == .download, buffer.receivedBytes > 0, let firstResponse {
            request.range = .init(start: buffer.receivedBytes, end: nil)
            request.validator = firstResponse.validator
        }
        return request
    }

    // MARK: Responses

    func begin(_ response: HTTPResponse) throws(NetworkError) -> Bool {
        self.response = response
        (head, icy, ogg, bytesToSkip) = ([], nil, nil, 0)
        answer = AnswerDigest()
        if form == .download { return try resume(response) }
        if let interval = response["icy-metaint"].flatMap({ Int($0) }), interval > 0 {
            icy = IcyDemultiplexer(metadataInterval: interval)
        }
        return true
    }

    /// Continues a download behind the bytes that have arrived.
    private func resume(_ response: HTTPResponse) throws(NetworkError) -> Bool {
        let received = buffer.receivedBytes
        if let range = response.contentRange, range.start == received { return true }
        guard response.status != 206, response.validator == firstResponse?.validator,
            response.contentLength == firstResponse?.contentLength
        else { throw NetworkError(.badResponse, "the file on the server has changed") }
        bytesToSkip = received
        return true
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe answer?.add(bytes)
        return unsafe pass(bytes)
    }

    /// Treats bytes as the present form requires; returns false to end the response.
    private func pass(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch form {
        case .undecided:
            unsafe head.append(contentsOf: bytes)
            guard head.count >= Self.headBytes else { return true }
            do throws(NetworkError) { try decide() } catch {
                refusal = error
                return false
            }
            return flushHead()
        case .broadcast: return unsafe takeBroadcast(bytes)
        case .download: return unsafe takeDownload(bytes)
        case .file:
            unsafe head.append(contentsOf: bytes)
            return head.count < Self.fileHeadBytes
        case .playlist:
            unsafe head.append(contentsOf: bytes)
            return head.count <= Self.mostPlaylistBytes
        }
    }

    /// Decides by the head, and by the first bytes, what the response is.
    private func decide() throws(NetworkError) {
        kind = contentKind
        switch kind {
        case .html: throw NetworkError(.badResponse, "it is a web page, not audio")
        case _ where kind.isPlaylist: form = .playlist
        case _ where response.isBroadcast: form = .broadcast
        default:
            let isFile = response.acceptsRanges && response.contentLength ?? 0 > 0
            form = isFile ? .file : .download
            firstResponse = response
        }
        if form == .broadcast || form == .download { settle(.success(.stream(StationFacts(response)))) }
    }

    private var contentKind: ContentKind {
        ContentKind(
            contentType: response["content-type"], head: head[...], address: RemoteAddress(response.address))
    }

    /// Passes on the bytes that were kept until the decision.
    private func flushHead() -> Bool {
        guard form == .broadcast || form == .download else { return true }
        let first = head
        head = []
        return unsafe first.withUnsafeBytes { unsafe pass($0) }
    }

    private func takeBroadcast(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isOpen = true
        for element in icy?.separate(unsafe Array(bytes)[...]) ?? [.audio(unsafe Array(bytes)[...])] {
            switch element {
            case .audio(let audio):
                isOpen = unsafe audio.withUnsafeBytes { unsafe takeAudio($0) } && isOpen
            case .metadata(let metadata, _):
                if let title = metadata.title { buffer.append(title: title) }
            }
        }
        return isOpen
    }

    private func takeAudio(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard kind == .ogg, options.splitsBroadcasts else { return unsafe buffer.append(bytes) }
        var isOpen = true
        if ogg == nil { ogg = OggChainSplitter() }
        unsafe ogg?.append(
            bytes, take: { isOpen = unsafe buffer.append($0) && isOpen },
            boundary: { buffer.appendBoundary() })
        return isOpen
    }

    private func takeDownload(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let skipped = Int(min(bytesToSkip, Int64(bytes.count)))
        bytesToSkip -= Int64(skipped)
        return unsafe buffer.append(UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
    }

    private func endOfResponse() throws(NetworkError) {
        if let refusal { throw refusal }
        if form == .undecided {
            guard !head.isEmpty else { throw NetworkError(.badResponse, "the server sent nothing") }
            try decide()
            _ = flushHead()
        }
        switch form {
        case .file: settle(.success(.file(try fileFacts(), client)))
        case .playlist:
            guard head.count <= Self.mostPlaylistBytes else {
                throw NetworkError(.badResponse, "the playlist is larger than 4 MiB")
            }
            guard let base = RemoteAddress(response.address) else {
                throw NetworkError(.badAddress, "its address is not valid")
            }
            // Only all lines show whether a list is one of segments.
            settle(.success(.playlist(head, contentKind == .hls ? .hls : .m3u, base)))
        case .undecided, .broadcast, .download: break
        }
    }

    private func fileFacts() throws(NetworkError) -> RemoteFileFacts {
        guard let address = RemoteAddress(response.address), let byteCount = response.contentLength else {
            throw NetworkError(.badAddress, "its address is not valid")
        }
        return RemoteFileFacts(
            address: address, byteCount: byteCount, validator: response.validator, head: head)
    }
}
