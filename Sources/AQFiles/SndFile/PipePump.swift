// SPDX-License-Identifier: MIT

import Glibc

/// Bytes that arrive in order.
protocol PipeBytes: AnyObject {
    /// Takes the available bytes, or waits for some; returns 0 at the end.
    func readSome(into block: inout [UInt8]) throws(AudioFileError) -> Int
    /// Whether ``readSome(into:)`` returns without a wait. At most the rest of a header is waited for then.
    var isReady: Bool { get }
}

extension OpenFile: PipeBytes {
    func readSome(into block: inout [UInt8]) throws(AudioFileError) -> Int {
        try readSome(into: &block, from: 0)
    }

    var isReady: Bool { wait(milliseconds: 0) }
}

/// A copy of a pipe for a library that cannot start with the bytes already read from the pipe.
///
/// A thread writes those bytes to a second pipe and then copies the rest. The thread ends with the input, or when the
/// reading end is closed.
@safe final class PipePump {
    /// F_SETPIPE_SZ of <fcntl.h>, which declares it to GNU programs only.
    private static let setPipeSize: CInt = 1031

    private let source: any PipeBytes
    private let output: CInt
    private var head: [UInt8]
    private var bytesLeft: Int64
    private let blockBytes: Int

    /// The smallest size of a pipe, in bytes.
    static let leastBlockBytes = 4096

    /// Starts the thread. The caller reads the result instead of `source`.
    ///
    /// - Parameters:
    ///   - byteCount: The size, including the head, at which the result ends if `source` continues.
    ///   - blockBytes: The number of bytes that are copied at once. If it is the least, the second pipe holds no more
    ///     either.
    static func start(
        from source: any PipeBytes, head: [UInt8] = [], byteCount: Int64 = .max, blockBytes: Int = 16384
    ) throws(AudioFileError) -> OpenFile {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw OpenFile.failure(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let result = OpenFile(pipe: ends[0])
        if blockBytes == leastBlockBytes { _ = fcntl(ends[1], Self.setPipeSize, CInt(blockBytes)) }
        let pump = PipePump(
            source: source, output: ends[1], head: head, byteCount: byteCount, blockBytes: blockBytes)
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, 128 << 10)
        var thread = pthread_t()
        // SAFETY: the thread takes ownership of the reference passed to it.
        let context = unsafe Unmanaged.passRetained(pump).toOpaque()
        // A closed reading end normally ends the thread, and must not end the process by SIGPIPE. Other signals are for
        // the program's own threads.
        var signals = sigset_t()
        var previousSignals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &previousSignals)
        let created = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<PipePump>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        unsafe pthread_sigmask(SIG_SETMASK, &previousSignals, nil)
        guard created == 0 else {
            unsafe Unmanaged<PipePump>.fromOpaque(context).release()
            throw OpenFile.failure(created)
        }
        return result
    }

    private init(
        source: any PipeBytes, output: CInt, head: [UInt8], byteCount: Int64, blockBytes: Int
    ) {
        self.source = source
        self.output = output
        self.head = head
        bytesLeft = byteCount
        self.blockBytes = blockBytes
    }

    deinit { close(output) }

    private func run() {
        guard write(head[...]) else { return }
        head = [UInt8](repeating: 0, count: blockBytes)
        while bytesLeft > 0 {
            guard let got = try? source.readSome(into: &head), got > 0, write(head[..<got]) else { return }
        }
    }

    /// Writes the requested part of `all`; returns false if the reading end is closed.
    private func write(_ all: ArraySlice<UInt8>) -> Bool {
        let bytes = all.prefix(Int(clamping: bytesLeft))
        bytesLeft -= Int64(bytes.count)
        return unsafe bytes.withUnsafeBytes { unsafe writeFully($0, to: output).errorNumber == 0 }
    }
}
