// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import PeerKit

// The engine of this project. A player node for each file is connected to the main mixer; buffers that contain the files
// are played again and again. The I/O unit gets slices of --buffer-frames frames.

/// Plays until the end of the run.
private func play(_ options: Options) throws {
    let engine = AVAudioEngine()
    let players = try Players(options, on: engine, to: engine.mainMixerNode)
    var frames = options.bufferFrames
    guard let unit = unsafe engine.outputNode.audioUnit,
        unsafe AudioUnitSetProperty(
            unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, 4) == noErr
    else { fail("cannot set the length of slices", "the unit refused") }
    unsafe peer_event("created")
    peer_start()
    try engine.start()
    players.play()
    unsafe peer_event("started")
    peer_wait(nil, nil, nil)
    unsafe peer_event("stop")
    engine.stop()
    peer_stopped()
}

private func run() -> Int32 {
    let options = Options.parse()
    unsafe peer_note("version", "main")
    unsafe peer_event("create")
    do {
        if options.isOffline { try Offline.render(options) } else { try play(options) }
    } catch {
        fail("cannot play", "\(error)")
    }
    return peer_end()
}

exit(run())
