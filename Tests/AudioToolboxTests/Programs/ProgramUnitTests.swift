// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing

/// Programs with audio units that need no sound server.
@Suite("Programs with audio units", .timeLimit(.minutes(20))) struct ProgramUnitTests {
    /// Runs a program that must succeed, without a server, and returns its output.
    private func run(_ program: String) throws -> String {
        let result = try ChildProcess.run(
            ProgramRig.executable(program), [],
            environment: ["PULSE_SERVER": "unix:/nonexistent"], deadlineSeconds: 60)
        result.expectSuccess()
        return result.standardOutput
    }

    @Test("in C find the registered units") func unitFinder() throws {
        let expected = """
            auou def  appl  Apple: DefaultOutputUnit 1.0.0
            auou sys  appl  Apple: SystemOutputUnit 1.0.0
            auou ahal appl  Apple: AUHAL 1.0.0
            auou rioc appl  Apple: AURemoteIO 1.0.0
            auou vpio appl  Apple: AUVoiceProcessor 1.0.0
            auou genr appl  Apple: GenericOutput 1.0.0
            aufc conv appl  Apple: AUConverter 1.0.0
            aufc vari appl  Apple: AUVarispeed 1.0.0
            aufc nutp appl  Apple: AUNewPitch 1.0.0
            aumx mcmx appl  Apple: AUMultiChannelMixer 1.0.0
            aumx smxr appl  Apple: AUMixer 1.0.0
            0 failures

            """
        try expectEqual(run("unit_finder"), expected)
    }

    @Test("in C use graphs, procedures of devices, and atomic operations by their names")
    func graphNames() throws { try expectEqual(run("graph_names"), "0 failures\n") }

    @Test("in Swift use the names and types of ported code") func portedUnits() throws {
        try expectEqual(run("PortedUnits"), "0 failures\n")
    }
}
