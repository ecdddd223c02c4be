// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import Glibc
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Calls by several threads, and by procedures, on a private server.
@Suite("Procedures of devices in several threads", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProcedureThreadSoundTests {
    private let server: PulseServer
    private let rig: ProcedureRig

    init() throws {
        server = try PulseServer()
        rig = ProcedureRig(server)
    }

    @Test("may be started, stopped and removed by several threads") func threads() throws {
        let calls = Tally()
        let id = try rig.add(to: "test") { _ in calls.add() }
        let registry = rig.registry
        let finished = Tally()
        for _ in 0..<3 {
            let result = DetachedThread.start(named: "test") {
                for round in 0..<30 {
                    try? registry.start(id, of: "test")
                    if round % 3 == 0 { usleep(2_000) }
                    try? registry.stop(id, of: "test")
                }
                finished.add()
            }
            expectEqual(result, 0)
        }
        #expect(HostClock.poll(upToSeconds: 120) { finished.now == 3 })
        try rig.registry.remove(id, of: "test")
        expectEqual(registry.line(of: "test"), nil)
        let count = calls.now
        usleep(50_000)
        expectEqual(calls.now, count)
    }

    @Test("survive random calls, also within themselves", arguments: [1, 2] as [UInt64])
    func random(seed: UInt64) throws {
        let registry = rig.registry
        let finished = Tally()
        let failures = Tally()
        let ids = Mutex<[UInt]>([])
        let rig = rig
        for thread in 0..<2 {
            let result = DetachedThread.start(named: "test") {
                var numbers = SplitMix(seed << 8 + UInt64(thread))
                for _ in 0..<60 {
                    let uid = Bool.random(using: &numbers) ? "test" : "test.monitor"
                    let id = ids.withLock { $0.randomElement(using: &numbers) } ?? 0
                    let kind = Int.random(in: 0..<8, using: &numbers)
                    do {
                        switch kind {
                        case 0, 1:
                            let own = Tally()
                            let added = try rig.add(to: uid) { _ in
                                guard kind == 1 else { return }
                                try? registry.stop(UInt(own.now), of: uid)
                                if own.now % 2 == 0 { try? registry.remove(UInt(own.now), of: uid) }
                            }
                            own.now = Int(added)
                            ids.withLock { $0.append(added) }
                        case 2, 3, 4: try registry.start(id, of: uid)
                        case 5: try registry.stop(id, of: uid)
                        case 6: _ = try registry.currentTime(of: uid)
                        default: try registry.remove(id, of: uid)
                        }
                    } catch let error as StatusError {
                        let expected = [kAudioHardwareIllegalOperationError, kAudioHardwareNotRunningError]
                        if !expected.contains(error.status) { failures.add() }
                    } catch { failures.add() }
                }
                finished.add()
            }
            expectEqual(result, 0)
        }
        #expect(HostClock.poll(upToSeconds: 120) { finished.now == 2 })
        expectEqual(failures.now, 0)
        for uid in ["test", "test.monitor"] {
            for id in ids.withLock({ $0 }) { try? registry.remove(id, of: uid) }
            try registry.stop(0, of: uid)
            expectEqual(registry.line(of: uid), nil)
        }
    }
}
