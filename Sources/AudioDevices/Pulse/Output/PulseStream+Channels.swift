// SPDX-License-Identifier: MIT

/// Output to sink channels that the client selected by number.
extension PulseStream {
    /// Returns the channel map for the next stream. If the server must be asked for the sink's channels, returns nil,
    /// and the answer starts another attempt.
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
