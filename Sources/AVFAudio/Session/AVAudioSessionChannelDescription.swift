// SPDX-License-Identifier: MIT

public import AudioToolbox
public import Foundation

/// A channel of a port. It never changes.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
    // SAFETY: constants.

    /// The name to show to a user.
    public let channelName: String
    /// The ``AVAudioSessionPortDescription/uid`` of the port.
    public let owningPortUID: String
    /// The number of the channel, from 1.
    public let channelNumber: Int
    /// Mono, left and right; unknown for devices of more than two channels.
    public let channelLabel: AudioChannelLabel

    init(index: Int, of count: Int, portUID: String) {
        let (label, name): (AudioChannelLabel, String?) =
            switch (count, index) {
            case (1, _): (kAudioChannelLabel_Mono, "Mono")
            case (2, 0): (kAudioChannelLabel_Left, "Left")
            case (2, 1): (kAudioChannelLabel_Right, "Right")
            default: (kAudioChannelLabel_Unknown, nil)
            }
        channelName = name ?? "Channel \(index + 1)"
        owningPortUID = portUID
        channelNumber = index + 1
        channelLabel = label
        super.init()
    }
}
