// SPDX-License-Identifier: MIT

/// The question about the sink that the server answers before a stream is made.
extension PulseStream {
    /// Returns the channel map for the next stream. If the server must be asked for the sink, returns nil, and the answer
    /// starts another attempt.
    func streamMap() -> PulseChannelMap? {
        if let map = target.takeMap(for: configuration.format) { return map }
        if target.beginAsking() {
            server.ask(.sink(named: sink ?? PulseDevice.defaultSink)) { [self] in sinkIsDescribed($0) }
        }
        return nil
    }

    private func sinkIsDescribed(_ answer: PulseAnswer) {
        switch target.take(answer, of: sink) {
        case .found: if stream == nil { connectStream() }
        case .noDevice: streamFailed()
        case .tooFew(let error):
            // If the stream was only prepared, the next start asks again and reports the error.
            if lifecycle.phase == .connecting || lifecycle.isInterrupted { fail(error) }
        }
    }
}
