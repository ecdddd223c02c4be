// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox
public import Foundation

/// Renders frames into a list with memory, and returns `noErr`. Any other status is silence.
///
/// If all samples are 0, the first argument may be set to true. The time has a sample time, and the host time at which
/// the first frame is audible. Called on the thread that renders: it must neither wait nor allocate memory.
public typealias AVAudioSourceNodeRenderBlock = (
    UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
    UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A node whose samples a block renders.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing {
    /// Makes a node whose block renders in the format of the connection: floats with a buffer for each channel.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        unsafe super.init(part: NodePart(SourceBlock(block, nil).element, .source, inputs: 0, outputs: 1))
    }

    /// Makes a node whose block renders in a format, which is converted.
    ///
    /// - Parameter format: Floats or integers, interleaved or not.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        let isDirect =
            format.isStandard || format.channelCount == 1 && format.commonFormat == .pcmFormatFloat32
        let part = unsafe NodePart(
            SourceBlock(block, isDirect ? nil : format).element, .source, inputs: 0, outputs: 1)
        part.ownFormat = format.graphFormat
        super.init(part: part)
    }
}
