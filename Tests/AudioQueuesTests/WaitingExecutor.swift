// SPDX-License-Identifier: MIT

import AQDevices

/// Runs tests that wait for other threads on its own threads.
///
/// The shared threads are as many as the processors: two waiting tests would block all others.
final class WaitingExecutor: TaskExecutor {
    static let shared = WaitingExecutor()
    private static let threads = 8

    private let jobs = Monitor<[UnownedJob]>([])

    private init() {
        for _ in 0..<Self.threads {
            let status = DetachedThread.start(named: "waiting tests", stackBytes: 8 << 20) { [self] in run() }
            precondition(status == 0, "no thread for tests: error \(status)")
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobs.notifyAll()
    }

    private func run() {
        while true {
            _ = jobs.wait(until: .max) { $0.isEmpty }
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            unsafe job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
