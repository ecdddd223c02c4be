// SPDX-License-Identifier: MIT

import Glibc

/// The limit on suites that run at once. The suite that needs the fewest places is next, so that suites that run alone
/// come last; of several, the longest.
///
/// While the processors are busy, on a slow machine or beside other programs, only two suites run at once.
actor SoundPlaces {
    /// Fewer on PipeWire, whose streams are silent for each period that a busy machine misses.
    static let count = unsafe getenv("AQ_SOUND_SERVER").map { unsafe strcmp($0, "pipewire") } == 0 ? 4 : 9
    static let shared = SoundPlaces()

    /// The number of suites that run at once on a busy machine.
    private static let fewest = 2
    /// The share of the processors' time above which no further suite begins.
    private static let busyShare = 0.75
    /// The time after which the load of a suite that has begun can be seen.
    private static let loadSeconds = 0.5

    private var free = SoundPlaces.count
    private var running = 0
    private var waiting: [Waiting] = []
    private var load = ProcessorLoad()
    private var isCheckedLater = false

    private struct Waiting {
        var places: Int
        var seconds: Double
        var continuation: CheckedContinuation<Void, Never>
    }

    /// - Parameter seconds: The duration of a long suite.
    func take(_ places: Int, forSeconds seconds: Double) async {
        await withCheckedContinuation {
            waiting.append(Waiting(places: places, seconds: seconds, continuation: $0))
            begin()
        }
    }

    func giveBack(_ places: Int) {
        free += places
        running -= 1
        begin()
    }

    /// Begins as many of the suites that wait as there are places and processors for.
    private func begin() {
        while let next = waiting.indices.min(by: { isFirst(waiting[$0], waiting[$1]) }),
            waiting[next].places <= free
        {
            guard running < Self.fewest || (load.share(overSeconds: Self.loadSeconds) ?? 1) < Self.busyShare
            else { return checkLater() }
            load = ProcessorLoad()
            free -= waiting[next].places
            running += 1
            waiting.remove(at: next).continuation.resume()
        }
    }

    private func checkLater() {
        guard !isCheckedLater else { return }
        isCheckedLater = true
        Task {
            try? await Task.sleep(for: .seconds(Self.loadSeconds))
            isCheckedLater = false
            begin()
        }
    }

    private func isFirst(_ one: Waiting, _ other: Waiting) -> Bool {
        one.places == other.places ? one.seconds > other.seconds : one.places < other.places
    }
}
