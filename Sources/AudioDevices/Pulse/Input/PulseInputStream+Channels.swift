/// Capturing from channels of the source that the client chose by their numbers.
extension PulseInputStream {
    /// The channel map for a stream that is to be made now; nil while the server is asked for the source's, which then
    /// leads to another attempt.
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
