// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The names of channels and of channel orders.
enum LayoutNames {
    /// Returns the common abbreviation of a channel, such as `L`, `LFE` or `Rsd`; `3` for a channel with only a number.
    static func name(of label: AudioChannelLabel) -> String {
        if let name = names[label] { return name }
        if label & 0xFFFF_0000 == kAudioChannelLabel_Discrete_0 { return "\(label & 0xFFFF)" }
        return label == kAudioChannelLabel_Unknown || label == kAudioChannelLabel_Unused
            ? "?" : "label \(label)"
    }

    /// Returns the name of a channel order; nil if it has none.
    static func layoutName(of labels: [AudioChannelLabel]) -> String? {
        ChannelLayoutTags.tag(of: labels).flatMap { layouts[$0] } ?? usual[labels.map(name(of:))]
    }

    private static let names: [AudioChannelLabel: String] = [
        kAudioChannelLabel_Mono: "M", kAudioChannelLabel_Left: "L", kAudioChannelLabel_Right: "R",
        kAudioChannelLabel_Center: "C", kAudioChannelLabel_LFEScreen: "LFE", kAudioChannelLabel_LFE2: "LFE2",
        kAudioChannelLabel_LeftSurround: "Ls", kAudioChannelLabel_RightSurround: "Rs",
        kAudioChannelLabel_CenterSurround: "Cs", kAudioChannelLabel_LeftSurroundDirect: "Lsd",
        kAudioChannelLabel_RightSurroundDirect: "Rsd", kAudioChannelLabel_RearSurroundLeft: "Rls",
        kAudioChannelLabel_RearSurroundRight: "Rrs", kAudioChannelLabel_LeftCenter: "Lc",
        kAudioChannelLabel_RightCenter: "Rc", kAudioChannelLabel_LeftWide: "Lw",
        kAudioChannelLabel_RightWide: "Rw", kAudioChannelLabel_TopCenterSurround: "Ts",
        kAudioChannelLabel_VerticalHeightLeft: "Vhl", kAudioChannelLabel_VerticalHeightCenter: "Vhc",
        kAudioChannelLabel_VerticalHeightRight: "Vhr", kAudioChannelLabel_LeftTotal: "Lt",
        kAudioChannelLabel_RightTotal: "Rt", kAudioChannelLabel_Ambisonic_W: "W",
        kAudioChannelLabel_Ambisonic_X: "X", kAudioChannelLabel_Ambisonic_Y: "Y",
        kAudioChannelLabel_Ambisonic_Z: "Z", kAudioChannelLabel_HeadphonesLeft: "Lh",
        kAudioChannelLabel_HeadphonesRight: "Rh",
    ]

    private static let layouts: [AudioChannelLayoutTag: String] = [
        kAudioChannelLayoutTag_Mono: "mono", kAudioChannelLayoutTag_Stereo: "stereo",
        kAudioChannelLayoutTag_StereoHeadphones: "binaural headphones",
        kAudioChannelLayoutTag_MatrixStereo: "matrix stereo",
        kAudioChannelLayoutTag_Quadraphonic: "quadraphonic",
        kAudioChannelLayoutTag_Ambisonic_B_Format: "ambisonic B format",
        kAudioChannelLayoutTag_MPEG_3_0_A: "3.0", kAudioChannelLayoutTag_MPEG_3_0_B: "3.0",
        kAudioChannelLayoutTag_MPEG_4_0_A: "4.0", kAudioChannelLayoutTag_MPEG_4_0_B: "4.0",
        kAudioChannelLayoutTag_MPEG_5_0_A: "5.0", kAudioChannelLayoutTag_MPEG_5_0_B: "5.0",
        kAudioChannelLayoutTag_MPEG_5_0_C: "5.0", kAudioChannelLayoutTag_MPEG_5_0_D: "5.0",
        kAudioChannelLayoutTag_MPEG_5_1_A: "5.1", kAudioChannelLayoutTag_MPEG_5_1_B: "5.1",
        kAudioChannelLayoutTag_MPEG_5_1_C: "5.1", kAudioChannelLayoutTag_MPEG_5_1_D: "5.1",
        kAudioChannelLayoutTag_MPEG_6_1_A: "6.1", kAudioChannelLayoutTag_AAC_6_1: "6.1",
        kAudioChannelLayoutTag_MPEG_7_1_A: "7.1", kAudioChannelLayoutTag_MPEG_7_1_B: "7.1",
        kAudioChannelLayoutTag_MPEG_7_1_C: "7.1",
    ]

    /// Common orders for which there are no published tags.
    private static let usual: [[String]: String] = [
        ["L", "R", "C", "LFE", "Ls", "Rs", "Lsd", "Rsd"]: "7.1"
    ]
}
