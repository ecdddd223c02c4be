// SPDX-License-Identifier: MIT

import AudioToolbox

/// The host time in seconds, which ``AVAudioPlayer/deviceCurrentTime`` counts too.
public func CACurrentMediaTime() -> Double { AVAudioTime.seconds(forHostTime: AudioGetCurrentHostTime()) }
