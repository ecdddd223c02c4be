// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// The assignment of the client's channels to those of the device, and the reverse.
extension IOUnit {
    /// For each channel of the device, or for input of the client, the number of the channel that it gets, from 0, or
    /// -1 for silence; nil if channels are assigned by their labels.
    public func channelMap(_ side: Side) -> [Int]? {
        state.withLock { side == .output ? $0.settings.outputMap : $0.settings.inputMap }
    }

    /// Sets the channel map; nil assigns channels by their labels, and the server mixes. A running unit is interrupted
    /// for a moment.
    ///
    /// Channels without an entry, and those whose entry names a channel that the other side does not have, are silent.
    /// More entries than channels are ignored.
    ///
    /// - Throws: ``UnitError/Code/invalidPropertyValue`` for entries that no format has, or more entries than that;
    ///   ``UnitError/Code/failedInitialization`` if a device cannot be used; the unit is then stopped.
    public func setChannelMap(_ map: [Int]?, _ side: Side) throws(UnitError) {
        let channels = -1..<SampleFormat.maximumChannels
        if let map, map.count > SampleFormat.maximumChannels || !map.allSatisfy(channels.contains) {
            throw UnitError(
                .invalidPropertyValue,
                "cannot set the channel map: up to \(channels.upperBound) entries from -1 to "
                    + "\(channels.upperBound - 1) are possible")
        }
        guard map != channelMap(side) else { return }
        try changeRunning { settings in
            if side == .output { settings.outputMap = map } else { settings.inputMap = map }
        }
    }

    /// The channel map without one of the client: each channel gets that of the same number.
    ///
    /// Waits for the server, at most 5 s.
    ///
    /// - Throws: As ``deviceFormat(_:)``.
    public func usualChannelMap(_ side: Side) throws(UnitError) -> [Int] {
        let client = Int(clientFormat(side).mChannelsPerFrame)
        let device = Int(try deviceFormat(side).mChannelsPerFrame)
        let (sources, targets) = side == .output ? (client, device) : (device, client)
        return (0..<min(targets, SampleFormat.maximumChannels)).map { $0 < sources ? $0 : -1 }
    }
}
