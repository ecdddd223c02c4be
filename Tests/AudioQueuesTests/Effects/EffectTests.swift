// SPDX-License-Identifier: MIT

import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Pan") struct PanTests {
        @Test("mono is spread with equal power; stereo is balanced with one side unchanged")
        func laws() {
            for pan: Float in [-1, -0.5, 0, 0.3, 1] {
                let (left, right) = PanLaw.spread(pan)
                #expect(abs(left * left + right * right - 1) < 1e-6)
            }
            func list(_ gains: (left: Float, right: Float)) -> [Float] { [gains.left, gains.right] }
            #expect(list(PanLaw.spread(-1)) == [1, 0])
            #expect(list(PanLaw.spread(1)) == [0, 1])
            #expect(list(PanLaw.balance(0)) == [1, 1])
            #expect(list(PanLaw.balance(-1)) == [1, 0])
            #expect(list(PanLaw.balance(0.25)) == [0.75, 1])
        }

        @Test("values out of range count as the nearest limit, and NaN as 0")
        func bounds() {
            #expect(EffectChain.validPan(.nan) == 0)
            #expect(EffectChain.validPan(-.infinity) == -1)
            #expect(EffectChain.validRate(.nan) == 0.5)
            #expect(EffectChain.validRate(3) == 2)
            #expect(EffectChain.validPitch(cents: 1e9) == 2400)
        }

        @Test("a pan that is set before the first frame applies from it on")
        func fromTheStart() {
            let rig = EffectRig(channels: 1, outputChannels: 2)
            rig.chain.setPan(-1)
            rig.put([Float](repeating: 1, count: 960))
            let played = rig.process(960)
            #expect(played.count == 1920)
            #expect(played == (0..<1920).map { $0 % 2 == 0 ? 1 : 0 })
        }

        @Test("a pan that is set later moves without a click")
        func smooth() {
            let rig = EffectRig(channels: 2)
            rig.put([Float](repeating: 1, count: 2 * 1920))
            _ = rig.process(960)
            rig.chain.setPan(1)
            let left = rig.process(960).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            #expect(left.first == 1)
            #expect(left.last == 0)
            #expect(zip(left, left.dropFirst()).allSatisfy { abs($0 - $1) < 0.005 })
        }

        @Test(
            "a pan that comes with a buffer applies exactly from its first frame on",
            arguments: [true, false, nil])
        func event(tapIsBefore: Bool?) {
            for outputChannels in [1, 2] {
                let rig = EffectRig(channels: outputChannels == 1 ? 1 : 2, outputChannels: 2)
                if let tapIsBefore { rig.tap = StubTap.changing(before: tapIsBefore) { $0 } }
                let frames = rig.channels
                rig.chain.setPan(-1)
                rig.put([Float](repeating: 1, count: 777 * frames))
                rig.chain.mark([.volume(0, rampSeconds: 1), .pan(1)])
                rig.put([Float](repeating: 1, count: 1000 * frames))
                rig.chain.mark([.pan(-1)])
                rig.chain.markEnd()
                let played = rig.processAll()
                #expect(played.count == 2 * 1777)
                let left = played.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                let right = played.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                #expect(left == [Float](repeating: 1, count: 777) + [Float](repeating: 0, count: 1000))
                #expect(right == [Float](repeating: 0, count: 777) + [Float](repeating: 1, count: 1000))
            }
        }

        @Test("more than two channels are unchanged")
        func surround() {
            let rig = EffectRig(channels: 6)
            rig.chain.setPan(1)
            rig.put(counted(0..<5760))
            #expect(rig.process(960) == counted(0..<5760))
        }
    }

    @Suite("Time and pitch") struct TimePitchTests {
        /// A chain with a traceable stretcher.
        static func rig(channels: Int = 1, settings: Seen<String> = Seen()) -> EffectRig {
            let rig = EffectRig(channels: channels) { _, channels, _ in
                StubStretcher(channels: channels, settings: settings)
            }
            rig.chain.isTimePitchEnabled = true
            return rig
        }

        @Test("at rate 2 half of the frames are produced, and the source time runs twice as fast")
        func twice() {
            let rig = Self.rig()
            rig.chain.setRate(2)
            rig.put(counting: 0..<5000)
            rig.chain.markEnd()
            let played = rig.processAll(isUrgent: false)
            #expect(played == [Float](stride(from: 0, to: 5000, by: 2)))
            #expect(rig.chain.sourceFrame(atOutput: 1000) == 2000)
            #expect(rig.chain.sourceFrame(atOutput: 2500) == 5000)
        }

        @Test("a rate that changes during a stream is counted from that frame on")
        func change() {
            let rig = Self.rig()
            rig.put(counting: 0..<4000)
            var played = rig.processAll(isUrgent: false)
            let before = played.count
            rig.chain.setRate(0.5)
            rig.put(counting: 4000..<8000)
            rig.chain.markEnd()
            played += rig.processAll(isUrgent: false)
            for index in played.indices {
                #expect(abs(Double(played[index]) - rig.chain.sourceFrame(atOutput: Double(index))) <= 1)
            }
            #expect(played[before] == Float(before))
            #expect(played.last == 7999)
        }

        @Test("rates that come with buffers apply from their first frames on")
        func events() {
            let rig = Self.rig()
            rig.put(counting: 0..<3000)
            rig.chain.mark([.playRate(2)])
            rig.put(counting: 3000..<6000)
            rig.chain.mark([.playRate(1)])
            rig.put(counting: 6000..<9000)
            rig.chain.markEnd()
            let played = rig.processAll(isUrgent: false)
            let expected = counted(0..<3000) + (0..<1500).map { Float(3000 + 2 * $0) } + counted(6000..<9000)
            #expect(played == expected)
        }

        @Test("while bypassed, nothing is changed or lost; then the settings apply again")
        func bypass() {
            let settings = Seen<String>()
            let rig = Self.rig(settings: settings)
            rig.chain.setRate(2)
            rig.chain.setPitch(cents: 300)
            rig.chain.setBypassed(true)
            rig.put(counting: 0..<3000)
            var played = rig.processAll(isUrgent: false)
            #expect(played == counted(0..<played.count))
            #expect(settings.all.suffix(2) == ["rate 1.0", "pitch 0.0"])
            rig.chain.setBypassed(false)
            rig.chain.markEnd()
            let first = played.count
            played += rig.processAll(isUrgent: false)
            #expect(settings.all.suffix(2) == ["rate 2.0", "pitch 300.0"])
            let next = Float(first)
            #expect(played.dropFirst(first).prefix(3) == [next, next + 2, next + 4])
        }

        @Test("the pitch is shifted by the spectral algorithm alone")
        func pitch() {
            let settings = Seen<String>()
            let rig = Self.rig(settings: settings)
            rig.chain.setPitch(cents: 1200)
            _ = rig.process(10)
            #expect(settings.all.last == "pitch 1200.0")
            rig.chain.algorithm = .timeDomain
            #expect(settings.all.last == "pitch 0.0")
        }

        @Test("at varispeed, frames are counted exactly, and the time of the source is theirs")
        func varispeed() {
            let rig = EffectRig()
            rig.chain.algorithm = .varispeed
            rig.chain.isTimePitchEnabled = true
            for rate: Float in [1, 2, 0.5] {
                rig.chain.mark([.playRate(rate)])
                var samples = [Float](repeating: 0, count: 4000)
                samples[2000] = 1
                rig.put(samples)
            }
            rig.chain.markEnd()
            let played = rig.processAll(isUrgent: false)
            #expect(played.count == 4000 + 2000 + 8000)
            for (range, source) in [(0..<4000, 2000.0), (4000..<6000, 6000), (6000..<14_000, 10_000)] {
                let peak = range.max { played[$0] < played[$1] } ?? 0
                // At rate 2 it depends on the position of the impulse between output frames.
                #expect(played[peak] > 0.25)
                // The filters have a delay of their own at each rate.
                #expect(abs(rig.chain.sourceFrame(atOutput: Double(peak)) - source) <= 3)
            }
        }

        @Test("without a suitable stretcher there is none, except for varispeed")
        func lacking() {
            let rig = EffectRig()
            #expect(!rig.chain.lacksStretcher)
            rig.chain.isTimePitchEnabled = true
            #expect(rig.chain.lacksStretcher)
            rig.put(counting: 0..<960)
            #expect(rig.process(960) == counted(0..<960))
            rig.chain.algorithm = .varispeed
            #expect(!rig.chain.lacksStretcher)
            rig.chain.isTimePitchEnabled = false
            #expect(!rig.chain.lacksStretcher)
        }

        @Test("a sequence ends completely before the next, which is independent")
        func sequences() {
            let rig = Self.rig(channels: 2)
            rig.put(counted(0..<2000))
            rig.chain.markEnd()
            rig.chain.markEnd()
            rig.put(counted(0..<400))
            #expect(rig.processAll() == counted(0..<2000) + counted(0..<200))
            rig.chain.markEnd()
            #expect(rig.processAll() == counted(200..<400))
            #expect(rig.processAll().isEmpty)
        }

        @Test("ready frames of a stretcher are produced without further input")
        func ready() {
            let rig = Self.rig()
            rig.chain.setRate(0.5)
            rig.put(counting: 0..<960)
            var played = rig.process(100)
            #expect(played.count == 100)
            #expect(rig.chain.pendingFrames > 0)
            #expect(!rig.chain.wantsInput)
            played += rig.processAll(isUrgent: false)
            // Half speed, except for the 100 frames that it holds.
            #expect(played.count == 2 * 860)
            #expect(rig.chain.pendingFrames == 0)
            #expect(rig.chain.wantsInput)
        }

        @Test("a restart drops the frames in the stretcher, and restarts the counts")
        func restart() {
            let rig = Self.rig()
            rig.chain.setRate(2)
            rig.put(counting: 0..<3000)
            _ = rig.processAll()
            rig.chain.restart()
            #expect(rig.chain.sourceFrame(atOutput: 10) == 20)
            rig.put(counting: 50..<60)
            rig.chain.markEnd()
            #expect(rig.processAll() == [50, 52, 54, 56, 58])
        }
    }
}
