// SPDX-License-Identifier: MIT

import AQSoundHarness
import Testing
import AQTestSupport

/// Damages files at random, and converts each: a loss must be reported.
///
/// `AQ_DAMAGE` sets the number; `AQ_DAMAGE_SEED` sets the first seed, and repeats one.
@Suite(
    "Damage", .enabled(if: Environment.value("AQ_DAMAGE") != nil, "make test-damage"),
    .enabled(if: Tools.areInstalled, "\(Tools.foreign) are not all installed"))
struct DamageTests {
    @Test("each damaged file has a warning, is refused, or converts like the undamaged one")
    func damagedFiles() throws {
        let count = Environment.value("AQ_DAMAGE").flatMap(UInt64.init) ?? 1000
        let start = Environment.value("AQ_DAMAGE_SEED").flatMap(UInt64.init) ?? 1
        let folder = ScratchFolder()
        let files = try IntactFile.all(in: folder)
        var outcomes: [DamagedFile.Outcome: Int] = [:]
        var complaints: [String] = []
        for seed in start..<start + count {
            let damaged = DamagedFile(files, seed: seed)
            let (outcome, message) = try damaged.convert(in: folder)
            outcomes[outcome, default: 0] += 1
            switch outcome {
            case .warned, .failed, .identical: break
            case .silentlyDifferent, .broken:
                complaints.append(
                    "seed \(seed), \(damaged.file.name), \(damaged.damage): \(outcome) \(message)")
            }
        }
        print(
            "\(count) damaged files from seed \(start) on: \(outcomes[.warned] ?? 0) warned of, "
                + "\(outcomes[.failed] ?? 0) refused, \(outcomes[.identical] ?? 0) identical, "
                + "\(outcomes[.silentlyDifferent] ?? 0) SILENTLY DIFFERENT, \(outcomes[.broken] ?? 0) broken")
        for complaint in complaints { print(complaint) }
        #expect(complaints.isEmpty)
    }
}
