// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Testing

@Suite("AVAudioTime") struct AVAudioTimeTests {
    @Test("has the parts that it was made with") func parts() {
        let host = AVAudioTime(hostTime: 5_000_000_000)
        #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.hostTime == 5_000_000_000)
        let sample = AVAudioTime(sampleTime: -480, atRate: 48_000)
        #expect(!sample.isHostTimeValid && sample.isSampleTimeValid && sample.sampleTime == -480)
        expectEqual(sample.sampleRate, 48_000)
        let both = AVAudioTime(hostTime: 7, sampleTime: 9, atRate: 8000)
        #expect(both.isHostTimeValid && both.isSampleTimeValid)
        let none = AVAudioTime()
        #expect(!none.isHostTimeValid && !none.isSampleTimeValid)
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (.nan, .sampleTimeValid)
        unsafe expectEqual(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 1).sampleTime, 0)
        stamp.mSampleTime = .infinity
        #expect(unsafe AVAudioTime(audioTimeStamp: &stamp, sampleRate: 1).sampleTime > 1 << 60)
        #expect(host == AVAudioTime(hostTime: 5_000_000_000) && host != sample)
    }

    @Test("host times are nanoseconds") func units() {
        expectEqual(AVAudioTime.hostTime(forSeconds: 1.5), 1_500_000_000)
        expectEqual(AVAudioTime.hostTime(forSeconds: -1), 0)
        expectEqual(AVAudioTime.seconds(forHostTime: 250_000_000), 0.25)
    }

    @Test("an anchor gives the part that is missing") func extrapolation() throws {
        let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 1000, atRate: 48_000)
        let later = try #require(
            AVAudioTime(sampleTime: 1480, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 1_010_000_000 && later.sampleTime == 1480)
        let earlier = try #require(AVAudioTime(hostTime: 990_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(earlier.sampleTime == 520 && earlier.sampleRate == 48_000)
        expectEqual(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 2)), nil)
        expectEqual(AVAudioTime().extrapolateTime(fromAnchor: anchor), nil)
        var stamp = AudioTimeStamp()
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        for time in [Double.nan, .infinity, -1e300] {
            stamp.mSampleTime = time
            let odd = unsafe AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000)
            expectEqual(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: odd)?.hostTime, 1)
        }
    }
}
