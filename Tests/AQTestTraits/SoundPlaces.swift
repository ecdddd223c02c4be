// SPDX-License-Identifier: MIT

import Glibc

/// The limit on suites that run at once. The suite that needs the fewest places is next, so that suites that run alone
/// come last; of several, the longest.
actor SoundPlaces {
    /// Fewer on PipeWire, whose streams are silent for each period that a busy machine misses.
    static let count = unsafe getenv("AQ_SOUND_SERVER").map { unsafe strcmp($0, "pipewire") } == 0 ? 2 : 6
    static let shared = SoundPlaces()

    private var free = SoundPlaces.count
    private var waiting: [Waiting] = []

    private struct Waiting {
        var places: Int
        var seconds: Double
        var continuation: CheckedContinuation<Void, Never>
    }

    /// - Parameter seconds: The duration of a long suite.
    func take(_ places: Int, forSeconds seconds: Double) async {
        if places <= free {
            free -= places
        } else {
            await withCheckedContinuation {
                waiting.append(Waiting(places: places, seconds: seconds, continuation: $0))
            }
        }
    }

    func giveBack(_ places: Int) {
        free += places
        while let next = waiting.indices.min(by: { isFirst(waiting[$0], waiting[$1]) }),
            waiting[next].places <= free
        {
            free -= waiting[next].places
            waiting.remove(at: next).continuation.resume()
        }
    }

    private func isFirst(_ one: Waiting, _ other: Waiting) -> Bool {
        one.places == other.places ? one.seconds > other.seconds : one.places < other.places
    }
}
