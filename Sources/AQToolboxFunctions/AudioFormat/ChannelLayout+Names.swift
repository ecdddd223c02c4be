// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

extension ChannelLayout {
    /// The short name: "Stereo", "5.1", "5.1.2", "9 channels".
    var simpleName: String {
        if let name = commonTag.flatMap({ Self.names[$0] }) { return name }
        let low = labels.filter { Self.lowLabels.contains($0) }.count
        let high = labels.filter { Self.highLabels.contains($0) }.count
        let isPlaced = labels.allSatisfy { Self.placedLabels ~= $0 && !Self.mixLabels.contains($0) }
        guard isPlaced, channels > 2 else {
            return channels == 1 ? "1 channel" : "\(channels) channels"
        }
        // The usual notation: loudspeakers around the listener, for low frequencies, and above.
        return "\(channels - low - high).\(low)" + (high > 0 ? ".\(high)" : "")
    }

    /// The name with the channels in their order: "5.1 (L R C LFE Ls Rs)".
    var fullName: String {
        let shown = labels.prefix(Self.mostShownChannels).map { ChannelNames.name(of: $0)?.short ?? "?" }
        guard !shown.isEmpty else { return simpleName }
        let rest = labels.count > shown.count ? " …" : ""
        return "\(simpleName) (\(shown.joined(separator: " "))\(rest))"
    }

    /// The tags that have a name other than their number.
    private static let names: [AudioChannelLayoutTag: String] = [
        kAudioChannelLayoutTag_Mono: "Mono",
        kAudioChannelLayoutTag_Stereo: "Stereo",
        kAudioChannelLayoutTag_StereoHeadphones: "Stereo Headphones",
        kAudioChannelLayoutTag_MatrixStereo: "Matrix Stereo",
        kAudioChannelLayoutTag_MidSide: "Mid/Side",
        kAudioChannelLayoutTag_XY: "Coincident Pair (XY)",
        kAudioChannelLayoutTag_Binaural: "Binaural",
        kAudioChannelLayoutTag_Ambisonic_B_Format: "Ambisonic B-Format",
        kAudioChannelLayoutTag_Quadraphonic: "Quadraphonic",
        kAudioChannelLayoutTag_Pentagonal: "Pentagonal",
        kAudioChannelLayoutTag_Hexagonal: "Hexagonal",
        kAudioChannelLayoutTag_Octagonal: "Octagonal",
        kAudioChannelLayoutTag_Cube: "Cube",
    ]

    private static let lowLabels: Set<AudioChannelLabel> = [
        kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LFE2, kAudioChannelLabel_LFE3,
    ]

    private static let highLabels: Set<AudioChannelLabel> = [
        kAudioChannelLabel_TopCenterSurround, kAudioChannelLabel_VerticalHeightLeft,
        kAudioChannelLabel_VerticalHeightCenter, kAudioChannelLabel_VerticalHeightRight,
        kAudioChannelLabel_TopBackLeft, kAudioChannelLabel_TopBackCenter, kAudioChannelLabel_TopBackRight,
        kAudioChannelLabel_LeftTopMiddle, kAudioChannelLabel_RightTopMiddle,
        kAudioChannelLabel_LeftTopRear, kAudioChannelLabel_CenterTopRear,
        kAudioChannelLabel_RightTopRear, kAudioChannelLabel_LeftTopSurround,
        kAudioChannelLabel_RightTopSurround,
    ]

    /// The labels of loudspeakers, which include ``mixLabels``.
    private static let placedLabels: ClosedRange<AudioChannelLabel> =
        kAudioChannelLabel_Left...kAudioChannelLabel_RightEdgeOfScreen
    private static let mixLabels: Set<AudioChannelLabel> = [
        kAudioChannelLabel_LeftTotal, kAudioChannelLabel_RightTotal, kAudioChannelLabel_HearingImpaired,
        kAudioChannelLabel_Narration, kAudioChannelLabel_Mono, kAudioChannelLabel_DialogCentricMix,
        kAudioChannelLabel_Haptic,
    ]
    private static let mostShownChannels = 32
}
