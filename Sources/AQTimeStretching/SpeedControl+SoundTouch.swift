// SPDX-License-Identifier: MIT

public import AudioQueues
import CAQSoundTouch

extension SpeedControl {
    /// The SoundTouch library, for up to 15 channels. It is loaded when the first queue is made with it.
    ///
    /// A queue cannot be made if the library is not installed, or was left out when this package was built (trait
    /// `TimePitch`).
    public static let soundTouch = SpeedControl(
        makeStretcher: SoundTouchStretcher.maker, failure: SoundTouchStretcher.refusal)
}

extension SoundTouchStretcher {
    /// The reason why a stretcher for the channels cannot be made.
    package static func refusal(channels: Int) -> String {
        let reason = unsafe String(cString: aq_stretcher_failure())
        guard reason.isEmpty else { return reason }
        return "SoundTouch supports 1 to \(AQ_STRETCHER_CHANNELS) channels, not \(channels)"
    }
}
