// SPDX-License-Identifier: MIT

import Glibc

/// The limit on suites that run at once. The suite that needs the fewest places is next, so that suites that run alone
/// come last.
actor SoundPlaces {
    /// Fewer on PipeWire, whose streams are silent for each period that a busy machine misses.
    static let count = unsafe getenv("AQ_SOUND_SERVER").map { unsafe strcmp($0, "pipewire") } == 0 ? 2 : 10
    static let shared = SoundPlaces()

    private var free = SoundPlaces.count
    private var waiting: [(places: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func take(_ places: Int) async {
        if places <= free {
            free -= places
        } else {
            await withCheckedContinuation { waiting.append((places, $0)) }
        }
    }

    func giveBack(_ places: Int) {
        free += places
        while let next = waiting.indices.min(by: { waiting[$0].places < waiting[$1].places }),
            waiting[next].places <= free
        {
            free -= waiting[next].places
            waiting.remove(at: next).continuation.resume()
        }
    }
}
