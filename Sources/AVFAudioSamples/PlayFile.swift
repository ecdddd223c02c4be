// SPDX-License-Identifier: MIT

//  Plays an audio file of any supported type, and ends with it.
//
//      PlayFile song.flac

import AVFoundation

let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
player.play()
while player.isPlaying { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05)) }
