// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import Glibc
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQDevices

/// On machines without RealtimeKit only its absence can be tested.
private let hasMessageBusLibrary = unsafe dlopen("libdbus-1.so.3", RTLD_NOW) != nil

/// Runs `body` on its own thread, whose priority it may change.
func onOtherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Monitor<Result?>(nil)
    let status = DetachedThread.start(named: "priority test") {
        let value = body()
        result.withLock { $0 = value }
        result.notifyAll()
    }
    guard status == 0 else { return nil }
    _ = result.wait(until: .max) { $0 == nil }
    return result.withLock { $0 }
}

private let kernelGrantsPriority = onOtherThread { ThreadPriority.askKernel(for: .high) == 0 } ?? false

/// Linux does since 6.12.
private let kernelLetsSlicesBeChosen: Bool = {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return (version.majorVersion, version.minorVersion) >= (6, 12)
        && FileManager.default.fileExists(atPath: "/proc/self/sched")
}()

@Suite(.serialized, .waiting, .timeLimit(.minutes(20))) struct ThreadPriorityTests {
    private func ask(
        _ priority: PriorityRequest.Priority, _ kit: RealtimeKit, kernelSays status: Int32 = EPERM
    ) -> PriorityRequest {
        ThreadPriority.ask(for: priority, kernel: { _ in status }, otherwise: kit)
    }

    private func answer(to request: PriorityRequest) -> PriorityRequest.Answer {
        _ = eventually { request.answer != .awaited }
        return request.answer
    }

    @Test(
        "a thread with priority from the kernel makes no other request",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed")
    )
    func direct() throws {
        let bus = try ScriptedBus(.grants)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        expectEqual(ask(.realTime, kit, kernelSays: 0).answer, .granted)
        expectEqual(ask(.high, kit, kernelSays: EINVAL).answer, .refused)
        // RealtimeKit gets requests in order: an earlier one would be first.
        expectEqual(answer(to: ask(.realTime, kit)), .grantedByRealtimeKit)
        expectEqual(bus.calls.count, 1)
    }

    @Test("without a bus, threads run without priority", arguments: [EPERM, EACCES])
    func noBus(status: Int32) {
        let kit = RealtimeKit(address: "unix:path=/nonexistent")
        expectEqual(answer(to: ask(.realTime, kit, kernelSays: status)), .unavailable)
        // Already known: no thread is made for it.
        expectEqual(ask(.realTime, kit).answer, .unavailable)
        expectEqual(ask(.high, kit).answer, .unavailable)
    }

    @Test(
        "a bus that never answers delays only the helper thread",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"),
        arguments: [ScriptedBus.Behaviour.silent, .mute])
    func silentBus(behaviour: ScriptedBus.Behaviour) throws {
        let bus = try ScriptedBus(behaviour)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        let requests = [ask(.realTime, kit), ask(.high, kit), ask(.high, kit)]
        // The bus has one second to answer.
        #expect(requests.allSatisfy { $0.answer == .awaited })
        expectEqual(requests.map(answer(to:)), [.unavailable, .unavailable, .unavailable])
        expectEqual(bus.hasVisitor, (behaviour == .silent))
    }

    @Test(
        "a bus that disconnects does not end the process",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func deadBus() throws {
        let bus = try ScriptedBus(.hangsUp)
        defer { bus.end() }
        expectEqual(answer(to: ask(.realTime, RealtimeKit(address: bus.address))), .unavailable)
    }

    @Test(
        "RealtimeKit gets the thread and at most its largest priority",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func granted() throws {
        let bus = try ScriptedBus(.grants)
        defer { bus.end() }
        signal(SIGPIPE, SIG_DFL)
        let kit = RealtimeKit(address: bus.address)
        let realTime = ask(.realTime, kit)
        expectEqual(answer(to: realTime), .grantedByRealtimeKit)
        expectEqual(answer(to: ask(.high, kit)), .grantedByRealtimeKit)
        let thread = word(UInt32(realTime.thread)) + word(0)
        expectEqual(
            bus.calls,
            [
                ScriptedBus.Call(member: "MakeThreadRealtime", body: thread + word(3)),
                ScriptedBus.Call(
                    member: "MakeThreadHighPriority", body: thread + word(UInt32(bitPattern: -9))),
            ])

        var limit = rlimit()
        // RLIMIT_RTTIME, which is not imported.
        unsafe getrlimit(15, &limit)
        #expect(limit.rlim_max <= 400_000)
        #expect(limit.rlim_cur <= 300_000)
        var action = sigaction()
        unsafe sigaction(SIGPIPE, nil, &action)
        #expect(unsafe action.__sigaction_handler.sa_handler == nil)
    }

    @Test(
        "a refused request is not repeated, requests of other kinds are",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func refused() throws {
        let bus = try ScriptedBus(.refuses)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        expectEqual(answer(to: ask(.high, kit)), .refused)
        expectEqual(ask(.high, kit).answer, .refused)
        expectEqual(bus.calls.map(\.member), ["MakeThreadHighPriority"])
        expectEqual(answer(to: ask(.realTime, kit)), .refused)
        expectEqual(bus.calls.map(\.member), ["MakeThreadHighPriority", "MakeThreadRealtime"])
    }

    @Test(
        "a bus without RealtimeKit gets no request",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func noDaemon() throws {
        let bus = try ScriptedBus(.isAlone)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        expectEqual(answer(to: ask(.realTime, kit)), .unavailable)
        #expect(bus.calls.isEmpty)
    }

    @Test(
        "a thread that has ended does not affect others",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func endedThread() throws {
        let bus = try ScriptedBus(.refuses)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        // Above all thread numbers of the kernel.
        let request = PriorityRequest(.high, thread: 1 << 23)
        kit.ask(for: request)
        expectEqual(answer(to: request), .refused)
        expectEqual(answer(to: ask(.high, kit)), .refused)
        expectEqual(bus.calls.count, 2)
    }

    @Test(
        "a process with many threads requests it for some of them",
        .enabled(if: hasMessageBusLibrary, "libdbus is not installed"))
    func manyThreads() throws {
        let bus = try ScriptedBus(.grants)
        defer { bus.end() }
        let kit = RealtimeKit(address: bus.address)
        let requests = (0..<20).map { _ in ask(.high, kit) }
        let granted = requests.map(answer(to:)).filter { $0 == .grantedByRealtimeKit }
        expectEqual(granted.count, RealtimeKit.greatestNumberOfHighThreads)
        expectEqual(bus.calls.count, RealtimeKit.greatestNumberOfHighThreads)
        expectEqual(answer(to: ask(.realTime, kit)), .grantedByRealtimeKit)
    }

    @Test(
        "threads started by a thread with high priority have none",
        .enabled(if: kernelGrantsPriority, "needs the right to real-time priority"))
    func noInheritance() {
        let niceValue = { @Sendable in getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
        let niceValues = onOtherThread {
            _ = ThreadPriority.askKernel(for: .high)
            return [niceValue(), onOtherThread(niceValue)]
        }
        expectEqual(niceValues, [ThreadPriority.niceValue, 0])
    }

    /// The calling thread's slice in nanoseconds, if the kernel reports it.
    private static func sliceNanoseconds() -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/thread-self/sched", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("se.slice") })
        else { return nil }
        return line.split(separator: ":").last.flatMap { Int($0.drop { $0 == " " }) }
    }

    @Test(
        "a thread whose lateness causes a gap runs in short slices, whatever else it is granted",
        .enabled(if: kernelLetsSlicesBeChosen, "the kernel has no slices for threads"))
    func shortSlices() {
        let slice = onOtherThread { () -> Int? in
            ThreadPriority.makeHigh()
            return Self.sliceNanoseconds()
        }
        expectEqual(slice, Int(ThreadPriority.sliceNanoseconds))
    }
}
