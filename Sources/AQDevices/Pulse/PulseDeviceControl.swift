// SPDX-License-Identifier: MIT

extension PulseDevice {
    /// Changes the volume of a sink, or mutes it, for all programs. Returns when the server has made the change.
    ///
    /// Blocks until the server answers; must not be called on a queue's thread.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil for the server that libpulse selects.
    ///   - timeoutSeconds: The longest time to wait for each of the server's answers, in seconds: 0 to 3600.
    /// - Throws: ``DeviceError/Code/noSuchDevice``; ``DeviceError/Code/noServer``, also after a timeout;
    ///   ``DeviceError/Code/refused``, also if the sink does not have the channels.
    public static func control(
        _ change: DeviceControl, ofSink name: String, server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) {
        try carryOut(change, .sink(named: name), ofSink: true, name, server, timeoutSeconds)
    }
}

extension PulseSource {
    /// Changes the volume of a source, or mutes it, like ``PulseDevice/control(_:ofSink:server:timeoutSeconds:)``.
    public static func control(
        _ change: DeviceControl, ofSource name: String, server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) {
        try carryOut(change, .source(named: name), ofSink: false, name, server, timeoutSeconds)
    }
}

private func carryOut(
    _ change: DeviceControl, _ device: PulseQuestion, ofSink: Bool, _ name: String, _ server: String?,
    _ timeoutSeconds: Double
) throws(DeviceError) {
    if case .mute(let isMuted) = change {
        return try PulseListing.request(
            .setMuted(ofSink: ofSink, named: name, isMuted), of: server, timeoutSeconds: timeoutSeconds)
    }
    // The server sets the volumes of all channels at once.
    let found = try PulseListing.askForOne(device, of: server, timeoutSeconds: timeoutSeconds)
    guard let volumes = change.volumes(changing: found.facts?.channelVolumes ?? []) else {
        throw DeviceError(.refused, "cannot set the volume of '\(name)': it has other channels")
    }
    try PulseListing.request(
        .setVolumes(ofSink: ofSink, named: name, volumes), of: server, timeoutSeconds: timeoutSeconds)
}
