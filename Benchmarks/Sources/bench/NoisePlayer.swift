// SPDX-License-Identifier: MIT

import BenchKit
import CMonitor
import AQSoundHarness

/// Plays known samples on the sink, without influence on the sink's period.
@safe final class NoisePlayer {
    private var player: OpaquePointer?
    private let samples: UnsafeMutableBufferPointer<Float>

    init(_ samples: [Float], on rig: Rig) throws {
        unsafe self.samples = .allocate(capacity: samples.count)
        _ = unsafe self.samples.initialize(from: samples)
        guard let start = unsafe self.samples.baseAddress else { throw BenchError("cannot play nothing") }
        var why: UnsafePointer<CChar>? = nil
        unsafe player = bench_player_open(
            "unix:\(rig.server.socketPath)", Rig.sinkName, UInt32(Rig.sampleRate), 2, start, samples.count,
            &why)
        guard unsafe player != nil else {
            let reason = unsafe why.map { unsafe String(cString: $0) } ?? "for no known reason"
            throw BenchError("cannot play noise: \(reason)")
        }
    }

    deinit {
        stop()
        unsafe samples.deallocate()
    }

    func stop() {
        if let player = unsafe player { unsafe bench_player_close(player) }
        unsafe player = nil
    }
}
