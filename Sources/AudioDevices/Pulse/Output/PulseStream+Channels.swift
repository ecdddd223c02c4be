import CPulse

/// Sending the format's channels to channels of the sink that the client chose by their numbers.
extension PulseStream {
    /// The channel map for a stream that is to be made now; nil while the server is asked for the sink's, which then
    /// leads to another attempt.
    func streamMap() -> pa_channel_map? {
        guard channelNumbers != nil else { return configuration.format.pulseChannelMap }
        guard let map = chosenMap else {
            askForSinkMap()
            return nil
        }
        // The next stream may find another sink of this name.
        chosenMap = nil
        return map
    }

    private func askForSinkMap() {
        guard !isAskingForMap, let context = unsafe connection.context else { return }
        isAskingForMap = true
        // SAFETY: the connection holds the stream until it lets go of the server, which calls the answer off.
        let target = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe operations.append(
            pa_context_get_sink_info_by_name(
                context, sink ?? "@DEFAULT_SINK@",
                { _, info, end, target in
                    unsafe PulseStream.from(target)?.sinkIsTold(info, end: end)
                }, target))
    }

    /// The sink that was asked for, or, with another `end` than 0, that there is no more to be told, or no such sink.
    private func sinkIsTold(_ info: UnsafePointer<pa_sink_info>?, end: Int32) {
        guard isAskingForMap else { return }
        isAskingForMap = false
        guard let channelNumbers else { return }
        guard end == 0, let info = unsafe info?.pointee else { return streamFailed() }
        guard let map = unsafe info.channel_map.choosing(channelNumbers) else {
            let channels = unsafe Int(info.channel_map.channels)
            return sinkLacksChannel(of: channels)
        }
        chosenMap = map
        if unsafe stream == nil { connectStream() }
    }

    /// What was only prepared is told by a start, which asks again.
    private func sinkLacksChannel(of channels: Int) {
        switch phase {
        case .connecting, .interrupted:
            fail(
                ChannelNumbers.missing(
                    in: channelNumbers ?? [], device: sink ?? "the default device", channels: channels))
        case .idle, .running, .fadingToPause, .fadingToStop, .paused, .closed: break
        }
    }
}
