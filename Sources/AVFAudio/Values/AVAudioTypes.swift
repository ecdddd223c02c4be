// SPDX-License-Identifier: MIT

// The number types and enumerations that all of AVFAudio uses.

/// A number of a frame, or of frames, in a file or on a timeline.
public typealias AVAudioFramePosition = Int64
/// A number of frames in a buffer.
public typealias AVAudioFrameCount = UInt32
/// A number of packets in a buffer.
public typealias AVAudioPacketCount = UInt32
public typealias AVAudioChannelCount = UInt32
/// The number of an input or output of a node, from 0.
public typealias AVAudioNodeBus = Int
/// A time in beats.
public typealias AVMusicTimeStamp = Double

/// The sample formats that buffers can be accessed in. All have the byte order of the machine, and signed integers.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format.
    case otherFormat = 0
    case pcmFormatFloat32 = 1
    case pcmFormatFloat64 = 2
    case pcmFormatInt16 = 3
    case pcmFormatInt32 = 4
}

/// The quality of an encoder or of sample-rate conversion.
public enum AVAudioQuality: Int, Sendable {
    case min = 0
    case low = 0x20
    case medium = 0x40
    case high = 0x60
    case max = 0x7F
}
