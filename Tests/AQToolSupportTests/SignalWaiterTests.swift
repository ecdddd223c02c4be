// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import Testing
import AQToolSupport

@Suite("SignalWaiter and EventPipe")
struct SignalWaiterTests {
    @Test("bytes are read in order, and nil if none waits")
    func eventPipe() throws {
        let pipe = try EventPipe()
        expectEqual(pipe.next(), nil)
        pipe.post(3)
        pipe.post(200)
        expectEqual(pipe.next(), 3)
        expectEqual(pipe.next(), 200)
        expectEqual(pipe.next(), nil)
    }

    @Test("a full pipe drops bytes and does not block")
    func fullPipe() throws {
        let pipe = try EventPipe()
        for _ in 0..<100_000 { pipe.post(1) }
        expectEqual(pipe.next(), 1)
    }

    @Test("a signal becomes readable, one that was ignored stays ignored")
    func signals() throws {
        signal(SIGUSR2, SIG_IGN)
        let waiter = try SignalWaiter([SIGUSR1, SIGUSR2])
        // Sent to the process: pool threads, on which tests run, block signals.
        kill(getpid(), SIGUSR2)
        kill(getpid(), SIGUSR1)
        var request = pollfd(fd: waiter.readDescriptor, events: Int16(POLLIN), revents: 0)
        unsafe expectEqual(poll(&request, 1, 1000), 1)
        expectEqual(waiter.next(), SIGUSR1)
        expectEqual(waiter.next(), nil)
        signal(SIGUSR1, SIG_DFL)
        signal(SIGUSR2, SIG_DFL)
    }

    @Test(
        "two simultaneous requests to end are one; another one without an answer ends the process"
    )
    func repeatedSignals() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            let waiter = try SignalWaiter([SIGTERM, SIGINT])
            kill(getpid(), SIGTERM)
            kill(getpid(), SIGTERM)
            kill(getpid(), SIGINT)
            var request = pollfd(fd: waiter.readDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, 5000) == 1, waiter.next() == SIGTERM, waiter.next() == nil else {
                return
            }
            usleep(350_000)
            waiter.endingAtNextSignal {
                kill(getpid(), SIGTERM)
                usleep(2_000_000)
            }
        }
    }

    @Test("a failed write returns its errno")
    func failedWrite() {
        expectEqual(systemErrorText(ENOENT), "No such file or directory")
        expectEqual(SystemError("open 'x'", ENOENT).message, "cannot open 'x': no such file or directory")
    }
}
