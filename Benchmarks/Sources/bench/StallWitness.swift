// SPDX-License-Identifier: MIT

import BenchKit
import CStallWitness

/// Detects stalls of the machine during a run, with a thread of the highest priority on each processor.
@safe final class StallWitness {
    // SAFETY: the witness is ended and freed once, by `end` or by deinit.
    private var witness: OpaquePointer?

    /// The reason why stalls cannot be detected on this machine; nil if they can.
    static let absence: String? = {
        var why: UnsafePointer<CChar>? = nil
        guard let witness = unsafe stall_witness_start(sleepNanoseconds, leastNanoseconds, &why) else {
            return unsafe why.map { unsafe String(cString: $0) } ?? "for no known reason"
        }
        unsafe stall_witness_end(witness)
        unsafe stall_witness_free(witness)
        return nil
    }()

    private static let sleepNanoseconds = UInt64(MachineStall.sleepMilliseconds * 1e6)
    private static let leastNanoseconds = UInt64(MachineStall.leastMilliseconds * 1e6)

    /// - Returns: Nil if the system does not permit the threads' priority.
    init?() {
        var why: UnsafePointer<CChar>? = nil
        guard let witness = unsafe stall_witness_start(Self.sleepNanoseconds, Self.leastNanoseconds, &why)
        else { return nil }
        unsafe self.witness = witness
    }

    deinit { _ = end() }

    /// Ends the detection.
    ///
    /// - Returns: The stalls of all processors in the order of time; none after the first call.
    func end() -> [MachineStall] {
        guard let witness = unsafe witness else { return [] }
        unsafe self.witness = nil
        unsafe stall_witness_end(witness)
        defer { unsafe stall_witness_free(witness) }
        return (0..<(unsafe stall_witness_count(witness))).map { index in
            let stall = unsafe stall_witness_get(witness, index)
            return MachineStall(
                beginNanoseconds: Double(stall.begin_ns), endNanoseconds: Double(stall.end_ns))
        }
        .sorted { $0.beginNanoseconds < $1.beginNanoseconds }
    }
}
