import SoundHarness
import Testing

/// Sends sounds through every codec and container and back, and through the programs of others.
///
/// With `AQ_INTERCHANGE` set each encoding gets every number of channels and every rate, which takes minutes; else one
/// of each.
@Suite("Round trips", .enabled(if: Tools.areInstalled, "\(Tools.foreign) are not all installed"))
struct RoundTripTests {
    static let isComplete = Environment.value("AQ_INTERCHANGE") != nil

    @Test("come back as they were, here and elsewhere", arguments: Encoding.all)
    func roundTrips(encoding: Encoding) throws {
        let index = Encoding.all.firstIndex { $0.name == encoding.name } ?? 0
        // One combination each, another for every encoding.
        let layouts = Self.isComplete ? SoundLayout.all : [SoundLayout.all[index * 5 % SoundLayout.all.count]]
        let outcomes = layouts.map { RoundTrip.run(encoding, $0) }
        try RoundTripTable.shared.add(encoding, outcomes)
        for outcome in outcomes {
            #expect(outcome.failures.isEmpty, "\(encoding.name), \(outcome.layout)")
        }
    }
}
