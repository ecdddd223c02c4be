// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQRealTime

/// The times of a device with running procedures.
extension ProcedureRegistry {
    /// The current time.
    ///
    /// - Throws: `kAudioHardwareNotRunningError` if no procedure of this process runs on the device.
    func currentTime(of uid: String) throws(StatusError) -> AudioTimeStamp {
        let line = try runningLine(of: uid)
        let now = aq_host_time()
        // Until the first frame is audible, the line is before its beginning.
        return ProcedureRegistry.stamp(max(0, line.sampleTime(at: now)), now)
    }

    /// Converts a time to the representations that the flags of `wanted` request: all if there are none.
    ///
    /// - Throws: As ``currentTime(of:)``; `kAudio_ParamError` for a time without a sample or host time.
    func translate(
        _ time: AudioTimeStamp, wanted: AudioTimeStampFlags, of uid: String
    ) throws(StatusError) -> AudioTimeStamp {
        let line = try runningLine(of: uid)
        var result: AudioTimeStamp
        if time.mFlags.contains(.sampleTimeValid), time.mSampleTime.isFinite {
            result = ProcedureRegistry.stamp(time.mSampleTime, line.hostTime(of: time.mSampleTime))
        } else if time.mFlags.contains(.hostTimeValid) {
            result = ProcedureRegistry.stamp(line.sampleTime(at: time.mHostTime), time.mHostTime)
        } else {
            throw StatusError(kAudio_ParamError)
        }
        let possible: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
        let flags = wanted.intersection(possible)
        if !flags.isEmpty { result.mFlags = flags }
        return result
    }

    /// The time at or after a requested time at which a procedure can start.
    ///
    /// - Throws: `kAudioHardwareNotRunningError` for a sample time of a device that does not run;
    ///   `kAudio_ParamError` for a time without a sample or host time.
    func nearestStart(to time: AudioTimeStamp, of uid: String) throws(StatusError) -> AudioTimeStamp {
        let now = aq_host_time()
        guard let line = line(of: uid) else {
            guard time.mFlags.contains(.hostTimeValid) else {
                let hasSampleTime = time.mFlags.contains(.sampleTimeValid)
                throw StatusError(hasSampleTime ? kAudioHardwareNotRunningError : kAudio_ParamError)
            }
            var result = AudioTimeStamp()
            (result.mHostTime, result.mFlags) = (max(time.mHostTime, now), .hostTimeValid)
            return result
        }
        let wanted = try translate(time, wanted: [], of: uid)
        guard wanted.mHostTime < now else { return wanted }
        return ProcedureRegistry.stamp(line.sampleTime(at: now), now)
    }

    private func runningLine(of uid: String) throws(StatusError) -> DeviceTimeline.Line {
        guard let line = line(of: uid) else { throw StatusError(kAudioHardwareNotRunningError) }
        return line
    }

    private static func stamp(_ sampleTime: Double, _ hostTime: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mHostTime, stamp.mRateScalar) = (sampleTime, hostTime, 1)
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
        return stamp
    }
}
