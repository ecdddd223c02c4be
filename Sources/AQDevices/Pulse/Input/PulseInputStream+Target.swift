// SPDX-License-Identifier: MIT

/// Questions about the source that the server answers before a stream is made.
extension PulseInputStream {
    /// Returns the source and the channel map for the next stream. If the server must be asked for them, returns nil,
    /// and the answer starts another attempt.
    ///
    /// QUIRK: PipeWire 0.3 makes no stream from `@DEFAULT_MONITOR@`, but describes that monitor with its name.
    func streamTarget() -> (source: String?, map: PulseChannelMap)? {
        if let map = target.takeMap(for: configuration.format) {
            // The default sink may be another one when the next stream is made.
            defer { monitorName = nil }
            return (monitorName ?? source, map)
        }
        if target.beginAsking() {
            let name = source ?? PulseSource.defaultSource
            server.ask(.source(named: name)) { [self] in sourceIsDescribed($0) }
        }
        return nil
    }

    private func sourceIsDescribed(_ answer: PulseAnswer) {
        switch target.take(answer, of: source) {
        case .found:
            if source == PulseSource.defaultMonitor { monitorName = answer.device?.info.name }
            if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let error): fail(error)
        }
    }
}
