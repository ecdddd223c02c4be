// SPDX-License-Identifier: MIT

public import Foundation

/// How much quieter other audio is while voice is processed. Kept, without effect: the server has no such setting.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
    public enum Level: Int, Sendable {
        case `default` = 0
        case min = 10
        case mid = 20
        case max = 30
    }

    /// Whether the level follows the voices.
    public var enableAdvancedDucking: ObjCBool
    public var duckingLevel: Level

    public init(enableAdvancedDucking: ObjCBool = false, duckingLevel: Level = .default) {
        self.enableAdvancedDucking = enableAdvancedDucking
        self.duckingLevel = duckingLevel
    }
}

/// Whether someone begins or ends to speak while the input is muted.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    case started = 0
    case ended = 1
}

extension AVAudioInputNode {
    /// Sets what is called if someone speaks while the input is muted.
    ///
    /// - Returns: False: speech is not detected.
    public func setMutedSpeechActivityEventListener(
        _ listenerBlock: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool {
        false
    }
}
