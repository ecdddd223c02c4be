// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

enum ChannelNames {
    struct Name: Equatable, Sendable {
        /// The full name, for example "Left Surround".
        let full: String
        /// The abbreviation, for example "Ls".
        let short: String

        init(_ full: String, _ short: String) {
            self.full = full
            self.short = short
        }
    }

    /// The names of a label; nil if the label is not published.
    static func name(of label: AudioChannelLabel) -> Name? {
        if let name = names[label] { return name }
        let number = label & 0xFFFF
        switch label & 0xFFFF_0000 {
        case kAudioChannelLabel_Discrete_0: return Name("Discrete \(number + 1)", "\(number + 1)")
        case kAudioChannelLabel_HOA_SN3D: return Name("Ambisonic ACN \(number), SN3D", "ACN\(number)")
        case kAudioChannelLabel_HOA_N3D: return Name("Ambisonic ACN \(number), N3D", "ACN\(number)")
        default: return nil
        }
    }

    static func isPublished(_ label: AudioChannelLabel) -> Bool { name(of: label) != nil }

    private static let names: [AudioChannelLabel: Name] = [
        kAudioChannelLabel_Unknown: Name("Unknown", "?"),
        kAudioChannelLabel_Unused: Name("Unused", "-"),
        kAudioChannelLabel_UseCoordinates: Name("At Coordinates", "@"),
        kAudioChannelLabel_Left: Name("Left", "L"),
        kAudioChannelLabel_Right: Name("Right", "R"),
        kAudioChannelLabel_Center: Name("Center", "C"),
        kAudioChannelLabel_LFEScreen: Name("LFE Screen", "LFE"),
        kAudioChannelLabel_LeftSurround: Name("Left Surround", "Ls"),
        kAudioChannelLabel_RightSurround: Name("Right Surround", "Rs"),
        kAudioChannelLabel_LeftCenter: Name("Left Center", "Lc"),
        kAudioChannelLabel_RightCenter: Name("Right Center", "Rc"),
        kAudioChannelLabel_CenterSurround: Name("Center Surround", "Cs"),
        kAudioChannelLabel_LeftSurroundDirect: Name("Left Surround Direct", "Lsd"),
        kAudioChannelLabel_RightSurroundDirect: Name("Right Surround Direct", "Rsd"),
        kAudioChannelLabel_TopCenterSurround: Name("Top Center Surround", "Ts"),
        kAudioChannelLabel_VerticalHeightLeft: Name("Vertical Height Left", "Vhl"),
        kAudioChannelLabel_VerticalHeightCenter: Name("Vertical Height Center", "Vhc"),
        kAudioChannelLabel_VerticalHeightRight: Name("Vertical Height Right", "Vhr"),
        kAudioChannelLabel_TopBackLeft: Name("Top Back Left", "Tbl"),
        kAudioChannelLabel_TopBackCenter: Name("Top Back Center", "Tbc"),
        kAudioChannelLabel_TopBackRight: Name("Top Back Right", "Tbr"),
        kAudioChannelLabel_RearSurroundLeft: Name("Rear Surround Left", "Rls"),
        kAudioChannelLabel_RearSurroundRight: Name("Rear Surround Right", "Rrs"),
        kAudioChannelLabel_LeftWide: Name("Left Wide", "Lw"),
        kAudioChannelLabel_RightWide: Name("Right Wide", "Rw"),
        kAudioChannelLabel_LFE2: Name("LFE 2", "LFE2"),
        kAudioChannelLabel_LFE3: Name("LFE 3", "LFE3"),
        kAudioChannelLabel_LeftTotal: Name("Left Total", "Lt"),
        kAudioChannelLabel_RightTotal: Name("Right Total", "Rt"),
        kAudioChannelLabel_HearingImpaired: Name("Hearing Impaired", "HI"),
        kAudioChannelLabel_Narration: Name("Narration", "VI"),
        kAudioChannelLabel_Mono: Name("Mono", "M"),
        kAudioChannelLabel_DialogCentricMix: Name("Dialog Centric Mix", "DCM"),
        kAudioChannelLabel_CenterSurroundDirect: Name("Center Surround Direct", "Csd"),
        kAudioChannelLabel_Haptic: Name("Haptic", "Hap"),
        kAudioChannelLabel_LeftTopMiddle: Name("Left Top Middle", "Ltm"),
        kAudioChannelLabel_RightTopMiddle: Name("Right Top Middle", "Rtm"),
        kAudioChannelLabel_LeftTopRear: Name("Left Top Rear", "Ltr"),
        kAudioChannelLabel_CenterTopRear: Name("Center Top Rear", "Ctr"),
        kAudioChannelLabel_RightTopRear: Name("Right Top Rear", "Rtr"),
        kAudioChannelLabel_LeftSideSurround: Name("Left Side Surround", "Lss"),
        kAudioChannelLabel_RightSideSurround: Name("Right Side Surround", "Rss"),
        kAudioChannelLabel_LeftBottom: Name("Left Bottom", "Lb"),
        kAudioChannelLabel_RightBottom: Name("Right Bottom", "Rb"),
        kAudioChannelLabel_CenterBottom: Name("Center Bottom", "Cb"),
        kAudioChannelLabel_LeftTopSurround: Name("Left Top Surround", "Lts"),
        kAudioChannelLabel_RightTopSurround: Name("Right Top Surround", "Rts"),
        kAudioChannelLabel_LeftBackSurround: Name("Left Back Surround", "Lbs"),
        kAudioChannelLabel_RightBackSurround: Name("Right Back Surround", "Rbs"),
        kAudioChannelLabel_LeftEdgeOfScreen: Name("Left Edge of Screen", "Leos"),
        kAudioChannelLabel_RightEdgeOfScreen: Name("Right Edge of Screen", "Reos"),
        kAudioChannelLabel_Ambisonic_W: Name("Ambisonic W", "W"),
        kAudioChannelLabel_Ambisonic_X: Name("Ambisonic X", "X"),
        kAudioChannelLabel_Ambisonic_Y: Name("Ambisonic Y", "Y"),
        kAudioChannelLabel_Ambisonic_Z: Name("Ambisonic Z", "Z"),
        kAudioChannelLabel_MS_Mid: Name("Mid", "Mid"),
        kAudioChannelLabel_MS_Side: Name("Side", "Sid"),
        kAudioChannelLabel_XY_X: Name("XY X", "X"),
        kAudioChannelLabel_XY_Y: Name("XY Y", "Y"),
        kAudioChannelLabel_BinauralLeft: Name("Binaural Left", "L"),
        kAudioChannelLabel_BinauralRight: Name("Binaural Right", "R"),
        kAudioChannelLabel_HeadphonesLeft: Name("Headphones Left", "L"),
        kAudioChannelLabel_HeadphonesRight: Name("Headphones Right", "R"),
        kAudioChannelLabel_ClickTrack: Name("Click Track", "Clk"),
        kAudioChannelLabel_ForeignLanguage: Name("Foreign Language", "For"),
        kAudioChannelLabel_Discrete: Name("Discrete", "Dis"),
        kAudioChannelLabel_HOA_ACN: Name("Ambisonic ACN", "ACN"),
    ]
}
