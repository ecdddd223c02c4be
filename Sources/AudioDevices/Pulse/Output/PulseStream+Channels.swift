/// Output to sink channels that the client selected by number.
extension PulseStream {
    /// The channel map for a stream about to be made; nil while the server is asked for the sink's. Its answer starts
    /// another attempt.
    func streamMap() -> PulseChannelMap? {
        if let map = channels.takeMap(for: configuration.format) { return map }
        if channels.beginAsking() {
            server.ask(.sink(named: sink ?? "@DEFAULT_SINK@")) { [self] in sinkIsDescribed($0) }
        }
        return nil
    }

    private func sinkIsDescribed(_ answer: PulseAnswer) {
        switch channels.take(answer, of: sink) {
        case .found: if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let error):
            // If the stream was only prepared, the next start asks again and reports the error.
            if lifecycle.phase == .connecting || lifecycle.isInterrupted { fail(error) }
        }
    }
}
