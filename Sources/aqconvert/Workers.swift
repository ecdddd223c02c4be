// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import AQToolSupport

/// Converts files on several threads, and notifies the main thread of each completed one.
final class Workers: Sendable {
    /// The result of a conversion.
    struct Outcome: Sendable {
        var index: Int
        var result: Result<ConversionReport, ToolFailure>
        var seconds: Double
    }

    let conversions: [Conversion]
    private let next = Atomic<Int>(0)
    private let outcomes = Mutex<[Outcome]>([])
    private let events: EventPipe

    /// - Throws: ``SystemError`` if the process has no descriptor left.
    init(_ conversions: [Conversion]) throws(SystemError) {
        self.conversions = conversions
        events = try EventPipe()
    }

    /// The descriptor that is readable when a conversion is complete.
    var readDescriptor: Int32 { events.readDescriptor }

    /// Starts up to `count` threads. One suffices.
    ///
    /// - Throws: ``SystemError`` if not even one can be created.
    func start(_ count: Int) throws(SystemError) {
        for index in 0..<min(count, conversions.count) {
            let status = Self.startThread { [self] in work() }
            if status != 0, index == 0 { throw SystemError("start a thread", status) }
        }
    }

    /// Returns the conversions that were completed since the last call.
    func takeOutcomes() -> [Outcome] {
        while events.next() != nil {}
        return outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    private func work() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < conversions.count else { return }
            let clock = ContinuousClock()
            let began = clock.now
            let result: Result<ConversionReport, ToolFailure>
            do throws(ToolFailure) {
                result = .success(try conversions[index].run())
            } catch {
                result = .failure(error)
            }
            let elapsed = clock.now - began
            let seconds =
                Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            outcomes.withLock { $0.append(Outcome(index: index, result: result, seconds: seconds)) }
            events.post(1)
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Returns: 0, or the error number of the system.
    private static func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
        // SAFETY: retained here, and released once: by the thread, or below if the thread was not created.
        let box = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            return status
        }
        pthread_detach(thread)
        return 0
    }
}
