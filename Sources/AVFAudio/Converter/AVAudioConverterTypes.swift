// SPDX-License-Identifier: MIT

public import Foundation

/// The result of the block that provides the input of a conversion.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// A buffer with audio.
    case haveData = 0
    /// No buffer yet; there will be more audio in a later conversion.
    case noDataNow = 1
    /// No buffer any more.
    case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The output has all of the audio that it has room for, or the last audio before the end.
    case haveData = 0
    /// The block had no data. The output has the audio that was made before.
    case inputRanDry = 1
    /// The audio has ended, and the output is empty.
    case endOfStream = 2
    case error = 3
}

/// The additional frames of a sample-rate conversion at the beginning and the end.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The input has additional frames at both ends.
    case pre = 0
    /// The input has additional frames at the end only. The beginning has no latency.
    case normal = 1
    /// The input has no additional frames. The beginning has the latency of the filter.
    case none = 2
}

/// The additional frames that a conversion uses.
public struct AVAudioConverterPrimeInfo: Sendable {
    public var leadingFrames: AVAudioFrameCount
    public var trailingFrames: AVAudioFrameCount

    public init() { (leadingFrames, trailingFrames) = (0, 0) }

    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// Provides the input of a conversion.
///
/// Called on the thread of the conversion. The number of packets is a hint: the buffer may have more or fewer. It must
/// stay unchanged until the next call, or the end of the conversion.
public typealias AVAudioConverterInputBlock =
    @Sendable (AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer?

/// The address of a variable for an error; nil if none is wanted.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
