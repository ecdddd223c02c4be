import CPulse
import CRealTime
import Synchronization

/// One question for a server's devices, or for one of them: filled on the loop's thread, awaited on the asker's.
final class PulseListing: Sendable {
    enum Kind: Equatable {
        case sinks, sources
        /// The one sink, or source, of a name, or of one of the server's words for a default.
        case sink(named: String), source(named: String)
    }

    struct Answer: Sendable {
        /// In the server's order.
        var devices: [DeviceInfo] = []
        /// Empty when the server has none.
        var defaultSink = ""
        var defaultSource = ""
    }

    private struct State {
        var answer = Answer()
        /// The names of the devices on which this process has a running stream.
        var namesInUse: [String] = []
        var result: Result<Answer, DeviceError>?
    }

    private let kind: Kind
    private let connection: PulseConnection
    private let state = Monitor(State())

    private init(_ kind: Kind, of connection: PulseConnection) {
        self.kind = kind
        self.connection = connection
    }

    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also when the time is over; ``DeviceError/Code/noSuchDevice``
    ///   when there is no device of the name.
    static func ask(
        _ kind: Kind, of server: String?, timeoutSeconds: Double
    ) throws(DeviceError) -> Answer {
        let connection = try PulseConnection.connection(to: server)
        let listing = PulseListing(kind, of: connection)
        connection.perform {
            connection.whenConnected { error in
                if let error { listing.finish(error) } else { listing.begin() }
            }
        }
        return try listing.wait(seconds: timeoutSeconds)
    }

    private func begin() {
        guard let context = unsafe connection.context else {
            return finish(DeviceError(.noServer, "the sound server went away"))
        }
        let isOfSinks =
            switch kind {
            case .sinks, .sink: true
            case .sources, .source: false
            }
        let namesInUse = connection.namesInUse(ofSinks: isOfSinks)
        state.withLock { $0.namesInUse = namesInUse }
        // SAFETY: the connection keeps it until the last answer, or as long as the context, with which libpulse drops
        // what it was asked.
        connection.add(self)
        let listing = unsafe Unmanaged.passUnretained(self).toOpaque()
        switch kind {
        case .sinks:
            unsafe askForDefaults(context, listing)
            unsafe PulseOperations.release(
                pa_context_get_sink_info_list(context, PulseListing.onSink, listing))
        case .sources:
            unsafe askForDefaults(context, listing)
            unsafe PulseOperations.release(
                pa_context_get_source_info_list(context, PulseListing.onSource, listing))
        case .sink(let name):
            unsafe PulseOperations.release(
                pa_context_get_sink_info_by_name(context, name, PulseListing.onSink, listing))
        case .source(let name):
            unsafe PulseOperations.release(
                pa_context_get_source_info_by_name(context, name, PulseListing.onSource, listing))
        }
    }

    private func askForDefaults(_ context: OpaquePointer, _ listing: UnsafeMutableRawPointer) {
        unsafe PulseOperations.release(
            pa_context_get_server_info(
                context,
                { _, info, listing in
                    guard let listing = unsafe PulseListing.from(listing), let info = unsafe info?.pointee
                    else { return }
                    let sink = unsafe info.default_sink_name.map { unsafe String(cString: $0) } ?? ""
                    let source = unsafe info.default_source_name.map { unsafe String(cString: $0) } ?? ""
                    listing.state.withLock {
                        $0.answer.defaultSink = sink
                        $0.answer.defaultSource = source
                    }
                }, listing))
    }

    private static let onSink: pa_sink_info_cb_t = { context, info, end, listing in
        unsafe take(listing, info.map { unsafe DeviceInfo($0.pointee) }, end, context)
    }

    private static let onSource: pa_source_info_cb_t = { context, info, end, listing in
        unsafe take(listing, info.map { unsafe DeviceInfo($0.pointee) }, end, context)
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PulseListing? {
        unsafe pointer.map { unsafe Unmanaged<PulseListing>.fromOpaque($0).takeUnretainedValue() }
    }

    /// One device of the list, or the list's end.
    private static func take(
        _ pointer: UnsafeMutableRawPointer?, _ device: DeviceInfo?, _ end: Int32, _ context: OpaquePointer?
    ) {
        guard let pointer = unsafe pointer, let listing = unsafe from(pointer) else { return }
        if end == 0 {
            if let device { listing.state.withLock { $0.answer.devices.append(device) } }
            return
        }
        listing.connection.remove(listing)
        listing.finish(end < 0 ? unsafe listing.error(context) : nil)
    }

    private func error(_ context: OpaquePointer?) -> DeviceError {
        guard let context = unsafe context,
            unsafe pa_context_errno(context) == Int32(PA_ERR_NOENTITY.rawValue)
        else { return DeviceError(.refused, "cannot list the sound server's devices") }
        return switch kind {
        case .sinks, .sources: DeviceError(.refused, "cannot list the sound server's devices")
        case .sink(let name):
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such sink")
        case .source(let name):
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such source")
        }
    }

    /// Ends the question with an error, or with what was collected. Loop thread.
    func finish(_ error: DeviceError?) {
        state.withLock { state in
            if let error {
                state.result = .failure(error)
                return
            }
            let chosen = kind == .sinks ? state.answer.defaultSink : state.answer.defaultSource
            for index in state.answer.devices.indices {
                let name = state.answer.devices[index].name
                state.answer.devices[index].isDefault = name == chosen
                state.answer.devices[index].facts?.isUsedHere = state.namesInUse.contains(name)
            }
            state.result = .success(state.answer)
        }
        state.notifyAll()
    }

    private func wait(seconds: Double) throws(DeviceError) -> Answer {
        let deadline = aq_host_time() + UInt64(max(0, min(seconds, 3600)) * 1e9)
        _ = state.wait(until: deadline) { $0.result == nil }
        guard let result = state.withLock({ $0.result }) else {
            throw DeviceError(.noServer, "the sound server did not answer within \(seconds) s")
        }
        return try result.get()
    }
}

extension DeviceInfo {
    fileprivate init(_ info: pa_sink_info) {
        let name = unsafe info.name.map { unsafe String(cString: $0) } ?? ""
        unsafe self.init(
            name: name, description: info.description.map { unsafe String(cString: $0) } ?? name,
            sampleRate: Double(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
            isDefault: false, facts: DeviceFacts(info))
    }

    fileprivate init(_ info: pa_source_info) {
        let name = unsafe info.name.map { unsafe String(cString: $0) } ?? ""
        unsafe self.init(
            name: name, description: info.description.map { unsafe String(cString: $0) } ?? name,
            sampleRate: Double(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
            isDefault: false, isMonitor: info.monitor_of_sink_name != nil, facts: DeviceFacts(info))
    }
}
