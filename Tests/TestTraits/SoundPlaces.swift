/// So many suites run at once. Whoever needs the fewest places is next, so that suites that run alone come last.
actor SoundPlaces {
    static let count = 6
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
