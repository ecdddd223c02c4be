/// Sending the format's channels to channels of the sink that the client chose by their numbers.
extension PulseStream {
    /// The channel map for a stream that is to be made now; nil while the server is asked for the sink's, which then
    /// leads to another attempt.
    func streamMap() -> PulseChannelMap? {
        if let map = channels.takeMap(for: configuration.format) { return map }
        if channels.beginAsking() {
            server.ask(.sink(named: sink ?? "@DEFAULT_SINK@")) { [self] in sinkIsDescribed($0) }
        }
        return nil
    }

    private func sinkIsDescribed(_ answer: PulseAnswer) {
        switch channels.take(answer) {
        case .found: if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let count): sinkLacksChannel(of: count)
        }
    }

    /// What was only prepared is told by a start, which asks again.
    private func sinkLacksChannel(of count: Int) {
        guard lifecycle.phase == .connecting || lifecycle.isInterrupted else { return }
        fail(
            ChannelNumbers.missing(
                in: channels.numbers ?? [], device: sink ?? "the default device", channels: count))
    }
}
