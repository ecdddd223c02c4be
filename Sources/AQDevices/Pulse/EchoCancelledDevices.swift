// SPDX-License-Identifier: MIT

import Synchronization

/// A sink and a source of a server that belong together: the server subtracts the audio that the sink plays from the
/// audio that the source captures.
///
/// A pair of the same devices that a user has configured is used as it is. Otherwise, the server's module for this
/// purpose is loaded. It is unloaded when the last reference of this process to the pair is released. A process that
/// ends without that leaves its pair, which the next process removes when it makes one.
///
/// A server that restarts does not have the pair anymore. The user is informed, and makes another.
public final class EchoCancelledDevices: Sendable {
    /// The settings of a pair, which all of its users share.
    public struct Settings: Hashable, Sendable {
        /// The sink that plays, and the source that captures; nil for the server's default.
        public var sink: String?
        public var source: String?
        /// The server's address; nil for the server that libpulse selects.
        public var server: String?
        /// Whether the server keeps speech at a constant level.
        public var controlsGain: Bool
        /// The rate of the speech that is used, in hertz: the pair has the lowest rate that the canceller supports and
        /// that contains this one.
        public var sampleRate: Double

        public init(
            sink: String?, source: String?, server: String? = nil, controlsGain: Bool, sampleRate: Double
        ) {
            self.sink = sink
            self.source = source
            self.server = server
            self.controlsGain = controlsGain
            self.sampleRate = sampleRate
        }
    }

    private struct Pool {
        var pairs: [EchoCancelledPair] = []
        /// Whether a call contacts a server.
        var isBusy = false
    }

    private static let pool = Monitor(Pool())

    private let pair: EchoCancelledPair
    private let observer: PulseConnectionObserver

    /// The names of the devices that streams use.
    public var sinkName: String { pair.sinkName }
    public var sourceName: String { pair.sourceName }

    /// Finds or loads a pair. Waits for the server: each of a few answers at most `timeoutSeconds`.
    ///
    /// - Parameter whenLost: Called once when the server has restarted without the pair, on the connection's thread,
    ///   which it must not block. It is not called after the end of the reference.
    /// - Throws: ``DeviceError/Code/refused`` if the server cannot cancel echo, or not for these devices;
    ///   ``DeviceError/Code/noSuchDevice``; ``DeviceError/Code/noServer``.
    public init(
        _ settings: Settings, timeoutSeconds: Double = 5, whenLost: @escaping @Sendable () -> Void = {}
    ) throws(DeviceError) {
        _ = Self.pool.wait(until: .max) { pool in
            if pool.isBusy { return true }
            pool.isBusy = true
            return false
        }
        defer {
            Self.pool.withLock { $0.isBusy = false }
            Self.pool.notifyAll()
        }
        let search = try EchoCancelledSearch(settings, timeoutSeconds)
        let known = Self.pool.withLock { $0.pairs }
        let pair: EchoCancelledPair
        if let found = known.first(where: { search.isUsable($0) }) ?? search.configured() {
            pair = found
        } else {
            pair = try search.load()
        }
        self.pair = pair
        observer = pair.observeLoss(whenLost)
        Self.pool.withLock { pool in
            pair.users += 1
            if pair.users == 1 { pool.pairs.append(pair) }
        }
    }

    deinit {
        let pair = pair
        pair.end(observer)
        let isLast = Self.pool.withLock { pool -> Bool in
            pair.users -= 1
            if pair.users == 0 { pool.pairs.removeAll { $0 === pair } }
            return pair.users == 0
        }
        if isLast { pair.unload() }
    }
}

/// A pair of devices, and the module that this process has loaded for it.
final class EchoCancelledPair: @unchecked Sendable {
    // SAFETY: the variable field is used with the lock of the pool held.

    let settings: EchoCancelledDevices.Settings
    /// The rate of the devices.
    let rate: Int
    let sinkName: String
    let sourceName: String
    /// The module; nil for a pair of the user.
    let module: UInt32?
    private let connection: PulseConnection
    private let losses: Int
    var users = 0

    init(
        _ settings: EchoCancelledDevices.Settings, rate: Int, sinkName: String, sourceName: String,
        module: UInt32?, _ connection: PulseConnection, losses: Int
    ) {
        self.settings = settings
        self.rate = rate
        self.sinkName = sinkName
        self.sourceName = sourceName
        self.module = module
        self.connection = connection
        self.losses = losses
    }

    /// Observes the server, and calls `code` once when it has restarted. From any thread.
    func observeLoss(_ code: @escaping @Sendable () -> Void) -> PulseConnectionObserver {
        let isReported = Monitor(false)
        let observer = PulseConnectionObserver { [connection, losses] in
            guard connection.isReady, connection.losses.load(ordering: .relaxed) != losses else { return }
            let isFirst = isReported.withLock { isReported in
                defer { isReported = true }
                return !isReported
            }
            if isFirst { code() }
        }
        connection.perform { [connection] in
            connection.add(observer)
            // The server may have restarted before.
            observer.notify()
        }
        return observer
    }

    /// Ends an observer. From any thread.
    func end(_ observer: PulseConnectionObserver) {
        observer.end()
        connection.perform { [connection] in connection.remove(observer) }
    }

    /// Unloads the module. From any thread; does not wait.
    func unload() {
        guard let module else { return }
        connection.perform { [connection, losses] in
            // Another server has given the number to another module.
            guard connection.losses.load(ordering: .relaxed) == losses else { return }
            connection.context?.unload(module: module)
        }
    }
}
