import Testing

@testable import AudioDevices

/// How much of a client's buffers is kept back.
@Suite("The reserve of three buffers")
struct BufferReserveTests {
    private let second: UInt64 = 1_000_000_000

    private func make(_ buffers: Int, _ frames: Int) -> BufferReserve {
        BufferReserve(
            totalFrames: buffers * frames, buffers: buffers, requestFrames: max(1, frames / 2),
            sampleRate: 48_000)
    }

    @Test("one buffer of three or more is kept back, of fewer none")
    func oneOfThree() {
        #expect(make(1, 480).frames == 0)
        #expect(make(2, 480).frames == 0)
        #expect(make(3, 480).frames == 480)
        #expect(make(8, 480).frames == 480)
        #expect(BufferReserve().frames == 0)
    }

    @Test("a millisecond stays to be played, and steps are those in which the device tells")
    func leastHeld() {
        #expect(make(3, 48).frames == 48)
        // Of 120 frames 48 stay beside the buffer that returns; of the other 32, one step of 20.
        #expect(make(3, 40).frames == 20)
        #expect(make(3, 24).frames == 0)
        #expect(make(3, 1).frames == 0)
    }

    @Test("after a shortage nothing is kept back for a twentieth of a second")
    func shortage() {
        var reserve = make(3, 48)
        reserve.runsShort(at: 10 * second)
        #expect(reserve.frames == 0)
        #expect(reserve.isGiven)
        reserve.recover(at: 10 * second + second / 40)
        #expect(reserve.frames == 0)
        // A second one meanwhile begins the time anew.
        reserve.runsShort(at: 10 * second + second / 40)
        reserve.recover(at: 10 * second + second / 16)
        #expect(reserve.frames == 0)
        reserve.recover(at: 10 * second + second / 8)
        #expect(reserve.frames == 48)
        #expect(!reserve.isGiven)
    }

    @Test("shortages that follow each other take it away for longer and longer, rare ones do not")
    func again() {
        #expect(waits(everySeconds: 0) == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 16])
        #expect(waits(everySeconds: 60) == Array(repeating: 0.05, count: 10))
    }

    /// How long nothing is kept back after each of ten shortages, that come so long after its return.
    private func waits(everySeconds pause: Double) -> [Double] {
        var reserve = make(3, 48)
        var now = 10 * second
        return (0..<10).map { _ in
            reserve.runsShort(at: now)
            let start = now
            while reserve.isGiven {
                now += second / 20
                reserve.recover(at: now)
            }
            let waited = now - start
            now += UInt64(pause * 1e9)
            return Double(waited) / 1e9
        }
    }

    @Test("long buffers are waited for by rounds")
    func longBuffers() {
        var reserve = make(3, 48_000)
        reserve.runsShort(at: 10 * second)
        reserve.recover(at: 21 * second)
        #expect(reserve.frames == 0)
        reserve.recover(at: 22 * second)
        #expect(reserve.frames == 48_000)
    }

    @Test("without a reserve a shortage changes nothing")
    func none() {
        var reserve = make(2, 480)
        reserve.runsShort(at: second)
        #expect(!reserve.isGiven)
        reserve.recover(at: 9 * second)
        #expect(reserve.frames == 0)
    }
}
