// SPDX-License-Identifier: MIT

import CStallWitness
import Glibc
import Testing

@Suite("Witness of the machine's stalls")
struct StallWitnessTests {
    @Test("it sees a processor taken away from everybody")
    func witnessed() throws {
        var why: UnsafePointer<CChar>? = nil
        guard let witness = unsafe stall_witness_start(500_000, 250_000, &why) else {
            // Without permission for real-time priority, there is no witness, but a reason.
            #expect(unsafe why != nil)
            return
        }
        defer { unsafe stall_witness_free(witness) }
        let taken = Self.takeProcessor(milliseconds: 20)
        unsafe stall_witness_end(witness)
        let stalls = (0..<(unsafe stall_witness_count(witness))).map {
            unsafe stall_witness_get(witness, $0)
        }
        let longest = stalls.map { Double($0.end_ns - $0.begin_ns) / 1e6 }.max() ?? 0
        try #require(taken)
        #expect(longest > 18)
    }

    /// Uses a whole processor at the highest priority.
    private static func takeProcessor(milliseconds: Int) -> Bool {
        var thread = pthread_t()
        let time = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe time.initialize(to: milliseconds)
        let error = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let time = unsafe argument?.assumingMemoryBound(to: Int.self) else { return nil }
                var highest = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
                guard unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &highest) == 0 else {
                    unsafe time.pointee = 0
                    return nil
                }
                let end = unsafe ContinuousClock.now + .milliseconds(time.pointee)
                while ContinuousClock.now < end {}
                return nil
            }, time)
        guard error == 0 else { return false }
        pthread_join(thread, nil)
        defer { unsafe time.deallocate() }
        return unsafe time.pointee > 0
    }
}
