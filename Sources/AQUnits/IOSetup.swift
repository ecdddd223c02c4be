// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// The settings of a unit that its streams are made from.
struct IOSetup: Sendable {
    /// One direction of a unit.
    struct Direction: Sendable {
        var client: ClientFormat
        var labels: [AudioChannelLabel] = []
        /// The client's channel map; nil to assign channels by their labels.
        var channelMap: [Int]?
        /// The number of the device's channels.
        var deviceChannels: Int
        /// The number of frames in a slice.
        var sliceFrames: Int
        /// Whether buffers of the client without memory get the unit's.
        var lendsMemory = true

        /// The format of the stream: of the client's channels, or with a map, of the device's.
        var streamFormat: SampleFormat {
            var format = client.sampleFormat(labels: labels)
            if channelMap != nil { format.channelLabels = ChannelLabels.defaults(channels: deviceChannels) }
            return format
        }

        /// The device's channel for each channel of the stream, counted from 1; nil for the order of the labels.
        var channelNumbers: [Int]? { channelMap == nil ? nil : Array(1...deviceChannels) }

        /// The step between the client's samples and the stream's; nil if they are the same.
        func makeRouting(_ side: IOUnit.Side) -> ChannelRouting? {
            guard let channelMap else { return nil }
            return ChannelRouting(
                side, map: channelMap, clientChannels: Int(client.format.mChannelsPerFrame),
                deviceChannels: deviceChannels, sampleBytes: client.encoding.byteCount,
                capacityFrames: sliceFrames)
        }
    }

    var output: Direction?
    var input: Direction?
    var outputDevice: (any OutputDevice)?
    var inputDevice: (any InputDevice)?
    /// The object that keeps the devices; nil for devices that exist anyway.
    var deviceReference: (any AnyObject & Sendable)?
    var maximumFrames: Int
    var volume: Float = 1
    var playbackRole: StreamRole?
    var recordingRole: StreamRole?
    var name: String?
    /// The time to wait for a server that died or a device that disappeared, in seconds: without end, because a client
    /// whose code goes on loses nothing by it.
    var recoverySeconds = Double.infinity
}
