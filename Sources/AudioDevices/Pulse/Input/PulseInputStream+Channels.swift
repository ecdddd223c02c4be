/// Capture from source channels that the client selected by number.
extension PulseInputStream {
    /// The channel map for a stream about to be made; nil while the server is asked for the source's. Its answer starts
    /// another attempt.
    func streamMap() -> PulseChannelMap? {
        if let map = channels.takeMap(for: configuration.format) { return map }
        if channels.beginAsking() {
            server.ask(.source(named: source ?? "@DEFAULT_SOURCE@")) { [self] in sourceIsDescribed($0) }
        }
        return nil
    }

    private func sourceIsDescribed(_ answer: PulseAnswer) {
        switch channels.take(answer) {
        case .found: if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let count):
            fail(
                ChannelNumbers.missing(
                    in: channels.numbers ?? [], device: source ?? "the default device", channels: count))
        }
    }
}
