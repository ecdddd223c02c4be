// SPDX-License-Identifier: MIT

public import AQFiles
import CoreAudioTypes

extension NetworkInput {
    /// The longest duration of audio that arrives before reading begins again, in seconds.
    private static let mostBufferSeconds = 10.0
    /// The duration of audio that is received in advance, in seconds.
    private static let secondsAhead = 60.0
    /// The bit rate for which ``secondsAhead`` is promised, in bits per second.
    private static let largestBitRate = 1_500_000.0

    /// The largest number of a playlist's entries that are tried.
    private static let mostEntries = 20
    /// The largest number of playlists that name each other.
    private static let mostPlaylists = 5

    /// Makes the first request, and opens what it returns. Of a playlist, the first entry that can be opened is.
    ///
    /// - Parameter isEndNeeded: As in `AudioFile.open`; without effect for broadcasts and HLS. See
    ///   ``Options/awaitsUnknownEnd``.
    /// - Throws: `notFound` if the server has no such file, `unreadable` if it cannot be reached or refuses,
    ///   `unsupported` without libcurl, and the errors of `AudioFile.open`. The message names the address.
    public func open(isEndNeeded: Bool = false) throws(AudioFileError) -> AudioFile {
        try open(address, isEndNeeded: isEndNeeded, playlists: 0)
    }

    /// Requests a playlist.
    ///
    /// - Returns: Nil if the address is another file, or a stream (HLS).
    /// - Throws: The errors of ``open(isEndNeeded:)``.
    public func openPlaylist() throws(AudioFileError) -> RemotePlaylist? {
        defer { cancel() }
        do throws(NetworkError) {
            guard case .playlist(let bytes, .m3u, let base) = try discover(address) else { return nil }
            guard let list = RemotePlaylist(bytes, from: base) else {
                throw NetworkError(.badResponse, "the playlist is larger than 1 MiB")
            }
            return list
        } catch { throw failure(error, address) }
    }

    private func open(
        _ address: RemoteAddress, isEndNeeded: Bool, playlists: Int
    ) throws(AudioFileError) -> AudioFile {
        let found: Discovery
        do throws(NetworkError) { found = try discover(address) } catch { throw failure(error, address) }
        switch found {
        case .stream(let facts):
            let isAwaited = !facts.mayBeEndless || options.awaitsUnknownEnd && !facts.isBroadcast
            return try open(facts, isEndNeeded: isEndNeeded && isAwaited)
        case .file(let facts, let client):
            let file: RemoteFile
            do throws(NetworkError) {
                file = try RemoteFile(facts, client: client, options: options)
                try connection.update { ($0.client, $0.buffer, $0.file) = (nil, nil, file) }
            } catch { throw failure(error, address) }
            return try AudioFile.open(file, named: name, isEndNeeded: isEndNeeded)
        case .playlist(let bytes, .hls, let base):
            do throws(NetworkError) { try startHLS(bytes, base) } catch { throw failure(error, address) }
            return try open(StationFacts(), isEndNeeded: false)
        case .playlist(let bytes, _, let base):
            guard playlists < Self.mostPlaylists else {
                throw failure(NetworkError(.badResponse, "playlists name each other"), address)
            }
            return try openFirst(of: bytes, base, isEndNeeded: isEndNeeded, playlists: playlists + 1)
        }
    }

    private func openFirst(
        of bytes: [UInt8], _ base: RemoteAddress, isEndNeeded: Bool, playlists: Int
    ) throws(AudioFileError) -> AudioFile {
        var reason = failure(NetworkError(.badResponse, "the playlist has no address to open"), base)
        for entry in RemotePlaylist(bytes, from: base)?.entries.prefix(Self.mostEntries) ?? [] {
            do throws(AudioFileError) {
                return try open(entry.address, isEndNeeded: isEndNeeded, playlists: playlists)
            } catch { reason = error }
            if connection.parts.isCancelled { break }
        }
        throw reason
    }

    private func startHLS(_ bytes: [UInt8], _ base: RemoteAddress) throws(NetworkError) {
        let client = try HTTPClient(
            userAgent: options.userAgent, silentSeconds: options.silentSeconds)
        let buffer = makeBuffer()
        let fetcher = try HLSFetcher(bytes, at: base, client: client, buffer: buffer, options: options)
        try connection.update { ($0.client, $0.buffer) = (client, buffer) }
        try fetcher.start()
    }

    /// Opens the first file of the stream that arrives.
    private func open(_ facts: StationFacts, isEndNeeded: Bool) throws(AudioFileError) -> AudioFile {
        do throws(NetworkError) {
            try connection.update { $0.station = facts }
        } catch { throw failure(error, address) }
        guard let buffer = connection.parts.buffer else { preconditionFailure("a stream has a buffer") }
        if let bitRate = facts.bitRate { buffer.setBitRate(bitRate) }
        return try openProgram(buffer, isEndNeeded: isEndNeeded)
    }

    /// Opens the next file of a stream, after the one before was read to its end.
    ///
    /// - Returns: Nil at the end of the stream, and for files.
    /// - Throws: The errors of ``open(isEndNeeded:)``.
    public func openNext() throws(AudioFileError) -> AudioFile? {
        guard let buffer = connection.parts.buffer, let program else { return nil }
        // The parser may have stopped in front of the end.
        var hasNext = try program.skipRest()
        while hasNext {
            do throws(AudioFileError) {
                return try openProgram(buffer, isEndNeeded: false)
            } catch  where error.code == .empty {
                hasNext = try self.program?.skipRest() ?? false
            }
        }
        return nil
    }

    private func openProgram(_ buffer: ArrivalBuffer, isEndNeeded: Bool) throws(AudioFileError) -> AudioFile {
        let stream = ProgramStream(buffer, connection)
        program = stream
        let file = try AudioFile.open(stream, named: name, isEndNeeded: isEndNeeded)
        if file.averageBitRate > 0 {
            buffer.setBitRate(file.averageBitRate)
        } else if !file.isLossy {
            // Of music, lossless codecs leave about two thirds.
            let bits = file.format.mBitsPerChannel * file.format.mChannelsPerFrame
            buffer.setLikelyBitRate(file.format.mSampleRate * Double(bits) * 2 / 3)
        }
        return file
    }

    private func discover(_ address: RemoteAddress) throws(NetworkError) -> Discovery {
        let buffer = makeBuffer()
        let client = try HTTPClient(
            userAgent: options.userAgent, silentSeconds: options.silentSeconds)
        try connection.update { ($0.client, $0.buffer) = (client, buffer) }
        return try StreamFetcher(address, client: client, buffer: buffer, options: options).discover()
    }

    private func makeBuffer() -> ArrivalBuffer {
        ArrivalBuffer(
            goal: FillGoal(
                seconds: options.bufferSeconds,
                mostSeconds: max(Self.mostBufferSeconds, options.bufferSeconds)),
            capacity: Int(max(Self.secondsAhead, options.bufferSeconds) * Self.largestBitRate / 8))
    }

    private var name: FilePath { FilePath(address.description) }

    private func failure(_ error: NetworkError, _ address: RemoteAddress) -> AudioFileError {
        let code: AudioFileError.Code =
            switch error.kind {
            case .status(404), .status(410), .unknownHost: .notFound
            case .noLibrary: .unsupported
            default: .unreadable
            }
        return AudioFileError(code, "cannot open '\(address)': \(error.reason)")
    }
}
