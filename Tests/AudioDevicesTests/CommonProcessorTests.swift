import CRealTime
import Glibc
import Testing

@testable import AudioDevices

/// The number of processors that a thread may run on.
private func allowed() -> Int {
    var set = aq_processors()
    guard unsafe aq_get_processors(&set) == 0 else { return 0 }
    return unsafe withUnsafeBytes(of: &set) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } }
}

private func makeFollower(of processor: Int32?) -> ProcessorFollower {
    let common = CommonProcessor()
    common.set(processor)
    return ProcessorFollower(common)
}

@Suite(.timeLimit(.minutes(1))) struct CommonProcessorTests {
    @Test("a thread waits on the device's processor and runs on any")
    func waits() {
        let seen = onOtherThread { () -> [Int] in
            var follower = makeFollower(of: aq_processor())
            let before = allowed()
            follower.willWait(isRealTime: true)
            let waiting = follower.isBeside ? allowed() : 0
            follower.didWait()
            return [before, waiting, allowed()]
        }
        #expect(seen?.first ?? 0 > 0)
        #expect(seen.map { $0[1] } == 1)
        #expect(seen?.first == seen?.last)
    }

    @Test("a thread with long work waits on its own processor until the work is short again")
    func longTurns() {
        let seen = onOtherThread { () -> [Bool] in
            var follower = makeFollower(of: aq_processor())
            var seen: [Bool] = []
            for microseconds in [0, 2000, 0] as [UInt64] {
                follower.didWait()
                let end = aq_host_time() + microseconds * 1000
                while aq_host_time() < end {}
                follower.willWait(isRealTime: true)
                seen.append(follower.isBeside)
            }
            return seen
        }
        #expect(seen == [true, false, true])
    }

    @Test("a thread that lost its priority waits on any processor")
    func usual() {
        let isBeside = onOtherThread { () -> Bool in
            var follower = makeFollower(of: aq_processor())
            follower.willWait(isRealTime: false)
            return follower.isBeside
        }
        #expect(isBeside == false)
    }

    @Test("a device's thread stays while another follows it, has its priority, and streams rarely underrun")
    func keeper() {
        let seen = onOtherThread { () -> [Int] in
            let common = CommonProcessor()
            var keeper = ProcessorKeeper(common)
            func places() -> Int {
                if keeper.isToChange { keeper.change(.granted) }
                return allowed()
            }
            var seen = [places()]
            do {
                let follower = ProcessorFollower(common)
                keeper.change(nil)
                keeper.change(.awaited)
                seen += [allowed(), places()]
                for second in 1...40 { keeper.ranDry(at: UInt64(second) * 2_000_000_000) }
                seen.append(places())
                for _ in 1...16 { keeper.ranDry(at: 90_000_000_000) }
                seen.append(places())
                _ = consume follower
            }
            seen.append(places())
            let follower = ProcessorFollower(common)
            seen.append(places())
            keeper.giveUp()
            seen.append(places())
            _ = consume follower
            return seen
        }
        let all = seen?.first ?? 0
        #expect(all > 0)
        #expect(seen == [all, all, 1, 1, all, all, 1, all])
    }

    @Test(
        "no thread is followed that changes processors, or to a processor that is not allowed",
        arguments: [nil, 1023] as [Int32?])
    func nobody(processor: Int32?) {
        let seen = onOtherThread { () -> Bool in
            let before = allowed()
            var follower = makeFollower(of: processor)
            follower.willWait(isRealTime: true)
            return follower.isBeside || allowed() != before
        }
        #expect(seen == false)
    }
}
