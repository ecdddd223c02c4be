// SPDX-License-Identifier: MIT

/// Settings of sessions that are kept, and have no effect.
struct SessionPreferences {
    /// The mode that the program has set last; nil if it has set none.
    var mode: AVAudioSession.Mode?
    var allowsHapticsDuringRecording = false
    var avoidsInterruptionsBySystemAlerts = false
    /// COMPAT: initially true, as on portable systems.
    var prefersInterruptionOnRouteDisconnect = true
    var prefersEchoCancelledInput = false
    var supportsMultichannelContent = false
    var ioType = AVAudioSession.IOType.notSpecified
    var inputOrientation = AVAudioSession.StereoOrientation.none
}
