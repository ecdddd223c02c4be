// SPDX-License-Identifier: MIT

import AQSoundHarness
import Testing

/// Converts audio through every codec and container and back, and through other programs.
///
/// Each encoding is tested with every number of channels and every rate, which takes minutes: `AQ_INTERCHANGE` enables
/// it, as `make test-interchange` does.
@Suite(
    "Round trips", .enabled(if: Environment.value("AQ_INTERCHANGE") != nil, "make test-interchange"),
    .enabled(if: Tools.areInstalled, "\(Tools.foreign) are not all installed"))
struct RoundTripTests {
    @Test("are unchanged after a round trip, here and elsewhere", arguments: Encoding.all)
    func roundTrips(encoding: Encoding) throws {
        let outcomes = encoding.layouts.map { RoundTrip.run(encoding, $0) }
        try RoundTripTable.shared.add(encoding, outcomes)
        for outcome in outcomes {
            #expect(outcome.failures.isEmpty, "\(encoding.name), \(outcome.layout)")
        }
    }
}
