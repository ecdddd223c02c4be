import CPulse

/// Capturing from channels of the source that the client chose by their numbers.
extension PulseInputStream {
    /// The channel map for a stream that is to be made now; nil while the server is asked for the source's, which then
    /// leads to another attempt.
    func streamMap() -> pa_channel_map? {
        guard configuration.channelNumbers != nil else { return configuration.format.pulseChannelMap }
        guard let map = chosenMap else {
            askForSourceMap()
            return nil
        }
        // The next stream may find another source of this name.
        chosenMap = nil
        return map
    }

    private func askForSourceMap() {
        guard !isAskingForMap, let context = unsafe connection.context else { return }
        isAskingForMap = true
        // SAFETY: the connection holds the stream until it lets go of the server, which calls the answer off.
        let target = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe operations.append(
            pa_context_get_source_info_by_name(
                context, source ?? "@DEFAULT_SOURCE@",
                { _, info, end, target in
                    unsafe PulseInputStream.from(target)?.sourceIsTold(info, end: end)
                }, target))
    }

    /// The source that was asked for, or, with another `end` than 0, that no more is to be told, or no such source.
    private func sourceIsTold(_ info: UnsafePointer<pa_source_info>?, end: Int32) {
        guard isAskingForMap else { return }
        isAskingForMap = false
        guard let channelNumbers = configuration.channelNumbers else { return }
        guard end == 0, let info = unsafe info?.pointee else { return streamFailed() }
        guard let map = unsafe info.channel_map.choosing(channelNumbers) else {
            let channels = unsafe Int(info.channel_map.channels)
            return fail(
                ChannelNumbers.missing(
                    in: channelNumbers, device: source ?? "the default device", channels: channels))
        }
        chosenMap = map
        if unsafe stream == nil { connectStream() }
    }
}
