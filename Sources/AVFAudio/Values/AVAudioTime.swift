// SPDX-License-Identifier: MIT

public import AudioToolbox
public import Foundation

/// A moment: a host time, a sample time at a rate, or both. It never changes.
///
/// Host times are those of `AudioGetCurrentHostTime` and `mach_absolute_time`: nanoseconds of CLOCK_MONOTONIC.
open class AVAudioTime: NSObject, @unchecked Sendable {
    /// The time as a time stamp of C.
    public let audioTimeStamp: AudioTimeStamp
    /// Frames per second of ``sampleTime``; 0 if the time has none.
    public let sampleRate: Double

    /// Makes a time of a time stamp. Its flags state the valid parts.
    public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        audioTimeStamp = unsafe ts.pointee
        self.sampleRate = sampleRate
        super.init()
    }

    private init(_ stamp: AudioTimeStamp, _ sampleRate: Double) {
        audioTimeStamp = stamp
        self.sampleRate = sampleRate
        super.init()
    }

    /// Makes a time without any part.
    public convenience override init() { self.init(AudioTimeStamp(), 0) }

    public convenience init(hostTime: UInt64) {
        var stamp = AudioTimeStamp()
        stamp.mHostTime = hostTime
        stamp.mFlags = .hostTimeValid
        self.init(stamp, 0)
    }

    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(sampleTime)
        stamp.mFlags = .sampleTimeValid
        self.init(stamp, sampleRate)
    }

    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var stamp = AudioTimeStamp()
        stamp.mHostTime = hostTime
        stamp.mSampleTime = Double(sampleTime)
        stamp.mFlags = [.hostTimeValid, .sampleTimeValid]
        self.init(stamp, sampleRate)
    }

    /// Host time units in a number of seconds.
    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        UInt64(max(0, min(seconds * 1e9, 1.8e19)))
    }

    /// Seconds of a number of host time units.
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    public var isHostTimeValid: Bool { audioTimeStamp.mFlags.contains(.hostTimeValid) }
    public var hostTime: UInt64 { audioTimeStamp.mHostTime }
    public var isSampleTimeValid: Bool { audioTimeStamp.mFlags.contains(.sampleTimeValid) }

    public var sampleTime: AVAudioFramePosition {
        // Any number may be in a time stamp.
        AVAudioFramePosition(nearest: audioTimeStamp.mSampleTime)
    }

    /// This time with the part that it lacks, computed from an anchor at this time's rate.
    ///
    /// - Parameter anchorTime: A time with both parts.
    /// - Returns: This time if it has both parts; nil unless the anchor has both, and this time has a rate and one part.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid, isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
        let rate = sampleRate > 0 ? sampleRate : anchorTime.sampleRate
        guard rate > 0 else { return nil }
        if isHostTimeValid {
            let nanoseconds = Double(Int64(bitPattern: hostTime &- anchorTime.hostTime))
            let frames = anchorTime.audioTimeStamp.mSampleTime + nanoseconds * rate / 1e9
            return AVAudioTime(
                hostTime: hostTime, sampleTime: AVAudioFramePosition(nearest: frames), atRate: rate)
        }
        guard isSampleTimeValid else { return nil }
        let frames = audioTimeStamp.mSampleTime - anchorTime.audioTimeStamp.mSampleTime
        let nanoseconds = max(-9e18, min(frames / rate * 1e9, 9e18))
        let host = anchorTime.hostTime &+ UInt64(bitPattern: Int64(nanoseconds.rounded()))
        return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: rate)
    }

    open override var description: String {
        var parts: [String] = []
        if isHostTimeValid { parts.append("host time \(hostTime)") }
        if isSampleTimeValid { parts.append("sample time \(sampleTime) at \(sampleRate) Hz") }
        return "<AVAudioTime: \(parts.isEmpty ? "no time" : parts.joined(separator: ", "))>"
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioTime else { return false }
        return isHostTimeValid == other.isHostTimeValid && isSampleTimeValid == other.isSampleTimeValid
            && (!isHostTimeValid || hostTime == other.hostTime)
            && (!isSampleTimeValid || (sampleTime == other.sampleTime && sampleRate == other.sampleRate))
    }

    open override var hash: Int { hostTime.hashValue ^ sampleTime.hashValue }
}

extension AVAudioFramePosition {
    /// The nearest position; 0 if `value` is not a number.
    init(nearest value: Double) {
        let limit = 0x1p63
        self = value.isNaN ? 0 : value >= limit ? .max : value < -limit ? .min : Self(value.rounded())
    }
}
