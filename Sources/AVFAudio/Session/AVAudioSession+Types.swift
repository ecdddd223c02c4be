// SPDX-License-Identifier: MIT

/// Options of the asynchronous activation. There are none.
public struct AVAudioSessionActivationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

extension AVAudioSession {
    /// Options of the activation and deactivation.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs should resume. No effect: they have not stopped.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The output that replaces the usual one.
    public enum PortOverride: UInt, Sendable {
        case none = 0
        /// 'spkr'.
        case speaker = 0x7370_6B72
    }

    /// How the route is shared with other programs.
    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        case longFormAudio = 1
        case independent = 2
        case longFormVideo = 3

        /// The older name of ``longFormAudio``.
        public static let longForm = RouteSharingPolicy.longFormAudio
    }

    /// How input and output are combined.
    public enum IOType: UInt, Sendable {
        case notSpecified = 0
        case aggregated = 1
    }

    /// Whether the program may record.
    public enum RecordPermission: UInt, Sendable {
        /// 'undt'.
        case undetermined = 0x756E_6474
        /// 'deny'.
        case denied = 0x6465_6E79
        /// 'grnt'.
        case granted = 0x6772_6E74
    }

    /// How verbose spoken prompts should be.
    public enum PromptStyle: UInt, Sendable {
        /// 'none'.
        case none = 0x6E6F_6E65
        /// 'shrt'.
        case short = 0x7368_7274
        /// 'nrml'.
        case normal = 0x6E72_6D6C
    }

    /// The direction that a recording in stereo faces.
    public enum StereoOrientation: Int, Sendable {
        case none = 0
        case portrait = 1
        case portraitUpsideDown = 2
        case landscapeRight = 3
        case landscapeLeft = 4
    }

    /// How the system renders spatial audio.
    public enum RenderingMode: Int, Sendable {
        case notApplicable = 0
        case monoStereo = 1
        case surround = 2
        case spatialAudio = 3
        case dolbyAudio = 4
        case dolbyAtmos = 5
    }
}
