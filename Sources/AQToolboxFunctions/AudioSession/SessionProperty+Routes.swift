// SPDX-License-Identifier: MIT

import AQSessions
import CAQAudioToolbox

extension SessionProperty {
    /// The properties of the route, and of choices within a port, which servers do not offer to programs.
    static let routes: [AudioSessionPropertyID: SessionProperty] = [
        kAudioSessionProperty_AudioRoute: object { (client) throws(StatusError) in
            AudioFileObject.string(try client.route().name)
        },
        kAudioSessionProperty_AudioRouteDescription: object { (client) throws(StatusError) in
            RouteObjects.description(of: try client.route())
        },
        kAudioSessionProperty_AudioRouteChange: SessionProperty(
            byteCount: MemoryLayout<UInt>.size, hasListeners: true),
        // COMPAT: without a choice the lists are empty, and there is no selected member.
        kAudioSessionProperty_InputSources: object(hasListeners: true) { (_) throws(StatusError) in
            AudioFileObject.array([])
        },
        kAudioSessionProperty_OutputDestinations: object(hasListeners: true) { (_) throws(StatusError) in
            AudioFileObject.array([])
        },
        kAudioSessionProperty_InputSource: noChoice,
        kAudioSessionProperty_OutputDestination: noChoice,
        // The gain of a microphone belongs to the user.
        kAudioSessionProperty_InputGainAvailable: fact(hasListeners: true) {
            (_) throws(StatusError) -> UInt32 in 0
        },
        kAudioSessionProperty_InputGainScalar: SessionProperty(
            byteCount: MemoryLayout<Float32>.size, hasListeners: true),
    ]

    /// A selection from an empty list, which can be neither read nor set.
    private static var noChoice: SessionProperty { SessionProperty(byteCount: MemoryLayout<UInt>.size) }
}
