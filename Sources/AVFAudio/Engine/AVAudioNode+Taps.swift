// SPDX-License-Identifier: MIT

import Foundation

/// Takes the audio of a node, with the time of the first frame. Called on a queue of the engine.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

extension AVAudioNode {
    /// Passes the audio of an output to a block, in buffers, while the engine runs. Also while it runs already.
    ///
    /// The block is called on a serial queue, neither on the main queue nor on the thread that renders, and may keep the
    /// buffer. Buffers follow each other without a gap; if the block is slow, two seconds of audio wait, and what is lost
    /// after that shows in the times.
    ///
    /// - Parameters:
    ///   - bus: 0. A tap that is installed already is replaced, with a line on standard error.
    ///   - bufferSize: The frames of a buffer. The request is met, from 32 to 192,000 frames.
    ///   - format: The format of the buffers; nil for that of the output. The audio is converted to any format of linear PCM.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        guard bus == 0, part.outputs > 0 else {
            return MisuseNote.write("no tap on output \(bus) of \(type(of: self)), which does not exist")
        }
        if let format, !format.isUsableInGraphs || !format.asbd.isLinearPCM {
            return MisuseNote.write("no tap: its format has no channels, no possible rate, or is encoded")
        }
        let frames = max(32, min(Int(bufferSize), 192_000))
        let tap = NodeTap(frames, format, tapBlock)
        guard let core = part.core else {
            if part.tap != nil { MisuseNote.write("a second tap on \(type(of: self)) replaces the first") }
            part.tap = tap
            return
        }
        core.setTap(tap, on: part)
    }

    /// Removes the tap. Does nothing if there is none. A call of the block that is in progress goes on.
    public func removeTap(onBus bus: AVAudioNodeBus) {
        guard bus == 0 else { return }
        guard let core = part.core else {
            part.tap?.end()
            part.tap = nil
            return
        }
        core.setTap(nil, on: part)
    }
}
