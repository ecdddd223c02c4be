import CPulse
import CRealTime
import Glibc
import Synchronization

extension PulseDevice {
    /// Lists the server's sinks, in the server's order.
    ///
    /// Blocks the calling thread, which must not be a queue's, until the server has answered.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil is the user's own.
    ///   - timeoutSeconds: How long to wait for a server that does not answer.
    /// - Throws: ``DeviceError/Code/noServer``, also when the time is over.
    public static func list(
        server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) -> [DeviceInfo] {
        let connection = try PulseConnection.connection(to: server)
        let listing = SinkListing()
        connection.loop.perform {
            connection.whenConnected { result in
                switch result {
                case .success: listing.begin(connection)
                case .failure(let error): listing.finish(.failure(error))
                }
            }
        }
        return try listing.wait(seconds: timeoutSeconds)
    }
}

/// One question for the list of sinks: filled on the loop's thread, awaited on the asker's.
private final class SinkListing: Sendable {
    private struct State {
        var defaultSink = ""
        var devices: [DeviceInfo] = []
        var result: Result<[DeviceInfo], DeviceError>?
    }
    private let state = Monitor(State())
    /// Only its semaphore is used.
    private let signal = StreamFeed()

    func begin(_ connection: PulseConnection) {
        guard let context = unsafe connection.context else {
            return finish(.failure(DeviceError(.noServer, "the sound server went away")))
        }
        // SAFETY: retained for the two questions; the last answer, or the context's end, finds it alive,
        // since libpulse answers each question or drops it with the context (and leaks the retain then).
        let listing = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe PulseStream.release(
            pa_context_get_server_info(
                context,
                { _, info, listing in
                    guard let listing = unsafe SinkListing.from(listing),
                        let name = unsafe info?.pointee.default_sink_name
                    else { return }
                    let defaultSink = unsafe String(cString: name)
                    listing.state.withLock { $0.defaultSink = defaultSink }
                }, listing))
        unsafe PulseStream.release(
            pa_context_get_sink_info_list(
                context,
                { _, info, end, listing in
                    guard let pointer = unsafe listing, let listing = unsafe SinkListing.from(listing)
                    else { return }
                    if end == 0, let info = unsafe info {
                        unsafe listing.add(info.pointee)
                        return
                    }
                    let error = DeviceError(.refused, "cannot list the sound server's devices")
                    listing.finish(end < 0 ? .failure(error) : nil)
                    unsafe Unmanaged<SinkListing>.fromOpaque(pointer).release()
                }, listing))
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> SinkListing? {
        unsafe pointer.map { unsafe Unmanaged<SinkListing>.fromOpaque($0).takeUnretainedValue() }
    }

    private func add(_ info: pa_sink_info) {
        guard let name = unsafe info.name.map({ unsafe String(cString: $0) }) else { return }
        let description = unsafe info.description.map { unsafe String(cString: $0) } ?? name
        let device = unsafe DeviceInfo(
            name: name, description: description, sampleRate: Double(info.sample_spec.rate),
            channels: Int(info.sample_spec.channels), isDefault: false)
        state.withLock { $0.devices.append(device) }
    }

    /// Ends the question with an error, or with what was collected.
    func finish(_ failure: Result<[DeviceInfo], DeviceError>?) {
        state.withLock { state in
            if let failure {
                state.result = failure
                return
            }
            for index in state.devices.indices {
                state.devices[index].isDefault = state.devices[index].name == state.defaultSink
            }
            state.result = .success(state.devices)
        }
        signal.wake()
    }

    func wait(seconds: Double) throws(DeviceError) -> [DeviceInfo] {
        let deadline = aq_host_time() + UInt64(max(0, min(seconds, 3600)) * 1e9)
        while true {
            let result = state.withLock { $0.result }
            if let result { return try result.get() }
            if aq_host_time() >= deadline {
                throw DeviceError(.noServer, "the sound server did not answer within \(seconds) s")
            }
            signal.waitForNotice(until: deadline)
        }
    }
}
