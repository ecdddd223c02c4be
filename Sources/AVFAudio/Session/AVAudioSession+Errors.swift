// SPDX-License-Identifier: MIT

import Foundation

extension AVAudioSession {
    /// The codes of errors of sessions, in the domain `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        case none = 0
        /// The sound server does not answer: 'msrv'.
        case mediaServicesFailed = 1_836_282_486
        /// '!act'.
        case isBusy = 560_030_580
        /// The category does not allow this: '!cat'.
        case incompatibleCategory = 560_161_140
        /// '!int'.
        case cannotInterruptOthers = 560_557_684
        /// 'ent?'.
        case missingEntitlement = 1_701_737_535
        /// 'siri'.
        case siriIsRecording = 1_936_290_409
        /// '!pla'.
        case cannotStartPlaying = 561_015_905
        /// '!rec'.
        case cannotStartRecording = 561_145_187
        /// An argument is out of range, or not allowed: `kAudio_ParamError`.
        case badParam = -50
        /// '!pri'.
        case insufficientPriority = 561_017_449
        /// There is no such device: '!res'.
        case resourceNotAvailable = 561_145_203
        /// 'what'.
        case unspecified = 2_003_329_396
        /// '!ses'.
        case expiredSession = 561_210_739
        /// 'inac'.
        case sessionNotActive = 1_768_841_571
    }

    /// Makes the error of a code.
    ///
    /// - Parameter text: What failed, and why.
    static func failure(_ code: ErrorCode, _ text: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
