// SPDX-License-Identifier: MIT

import AQSessions
public import Foundation

/// A device as a port of the session. It never changes; descriptions of one port are equal.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    // SAFETY: constants.

    public let portType: AVAudioSession.Port
    /// The name to show to a user.
    public let portName: String
    /// The name of the device in the sound server, which is also its UID in CoreAudio.
    public let uid: String
    private let channelCount: Int
    private let isInput: Bool

    init(_ port: SessionPort, isInput: Bool) {
        portType = AVAudioSession.Port(port.kind)
        portName = port.name
        uid = port.uid
        channelCount = port.channels
        self.isInput = isInput
        super.init()
    }

    /// The channels of the device.
    open var channels: [AVAudioSessionChannelDescription]? {
        (0..<channelCount).map { AVAudioSessionChannelDescription(index: $0, of: channelCount, portUID: uid) }
    }

    /// Always nil: sound servers have no choice of microphones or directions within a port.
    open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// Always nil.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// Always nil.
    open var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Does nothing, and never throws: a port has no data sources.
    open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}

    /// Always false.
    open var hasHardwareVoiceCallProcessing: Bool { false }
    /// Always false.
    open var isSpatialAudioEnabled: Bool { false }

    /// Whether another object describes the same port.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType && isInput == other.isInput
    }

    open override var hash: Int { uid.hashValue }

    open override var description: String {
        "<AVAudioSessionPortDescription \(ObjectIdentifier(self).address): "
            + "type = \(portType.rawValue); name = \(portName); UID = \(uid)>"
    }
}
