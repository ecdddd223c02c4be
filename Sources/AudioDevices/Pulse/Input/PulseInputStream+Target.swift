/// Questions about the source that the server answers before a stream is made.
extension PulseInputStream {
    /// Returns the source and the channel map for the stream that is made next, or asks the server for them and returns
    /// nil. The answer then starts another attempt.
    ///
    /// QUIRK: PipeWire 0.3 makes no stream from `@DEFAULT_MONITOR@`, but reports the name of that monitor.
    func streamTarget() -> (source: String?, map: PulseChannelMap)? {
        let isNamed = source != PulseSource.defaultMonitor || monitorName != nil
        if isNamed, let map = channels.takeMap(for: configuration.format) {
            // The next stream may find another default sink.
            defer { monitorName = nil }
            return (monitorName ?? source, map)
        }
        if channels.beginAsking() {
            let name = source ?? PulseSource.defaultSource
            server.ask(.source(named: name)) { [self] in sourceIsDescribed($0) }
        }
        return nil
    }

    private func sourceIsDescribed(_ answer: PulseAnswer) {
        switch channels.take(answer, of: source) {
        case .found:
            if source == PulseSource.defaultMonitor { monitorName = answer.device?.info.name }
            if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let error): fail(error)
        }
    }
}
