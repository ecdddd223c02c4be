// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import Dispatch

/// Plays a queue into a device whose clock advances as fast as the callback fills buffers.
enum Offline {
    struct Stalled: Error, CustomStringConvertible {
        let description: String
    }

    /// Renders --seconds of audio, one buffer at a time.
    ///
    /// - Throws: ``Stalled`` if a buffer is not filled within 5 s, or if silence was rendered.
    static func render(_ options: Options) throws {
        let device = ManualDevice()
        let filled = DispatchSemaphore(value: 0)
        let output = try OutputPeer(options, stream: 0, device: device, filled: filled)
        event("created")
        try output.queue.start()
        event("started")
        let buffers = Int(options.seconds * options.rate) / options.bufferFrames
        for buffer in 0..<buffers {
            guard filled.wait(timeout: .now() + 5) == .success else {
                throw Stalled(description: "no buffer came after \(buffer)")
            }
            device.render(frames: options.bufferFrames)
        }
        event("stop")
        let underruns = output.queue.underrunCount
        guard underruns == 0 else { throw Stalled(description: "there were \(underruns) gaps") }
        try output.queue.stop(immediate: true)
    }
}
