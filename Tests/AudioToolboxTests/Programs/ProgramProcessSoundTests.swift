// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs whose process does more than play.
@Suite("Programs and their processes", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct ProgramProcessSoundTests {
    /// The released library, with linker flags that the package's own build does not use.
    private static let releasedLibrary = Environment.value("AQ_RELEASED_LIBRARY")

    @Test("a forked child gets an error from every call, and no thread of the library receives signals")
    func fork() throws {
        let result = try ProgramRig().run("forking_player")
        result.expectSuccess()
        expectEqual(result.standardOutput, "0 failures\n")
    }

    @Test("hardware, locks, clock and messages exist by their old names") func oldNames() throws {
        let rig = try ProgramRig()
        var other = PulseServer.Options()
        other.sinkName = "other"
        _ = try rig.server.addSink(other)
        try rig.server.setDefaultSink("test")
        let result = try rig.run("old_devices", ["pactl set-default-sink other"])
        #expect(result.exitStatus == 0 && !result.isTimedOut)
        #expect(result.standardOutput.hasSuffix("\n0 failures\n"))
        #expect(result.standardOutput.contains("\nMonitor of "))
        expectEqual(
            result.standardError,
            """
            0 failures, 100%
            [org.example.old:devices] user <private>, number <private>, gain <private> of <private>, \
            device sink, -3.0 dB

            """)
    }

    @Test("Swift programs find the names around the audio functions, also by submodules") func portedNames()
        throws
    {
        let result = try ProgramRig().run("PortedNames")
        #expect(result.exitStatus == 0 && result.standardOutput == "0 failures\n", "\(result.standardOutput)")
        expectEqual(
            result.standardError,
            """
            [org.example.ported:names] device sink, password <private>, 3 of 7.2
            [org.example.ported:names] failed: false, 0xff,   sink|
            plain
            [a:b] sink of <private> has <private> and 2 channels, 99.5%
            interpolated sink

            """)
    }

    @Test(
        "a host that unloads the released library keeps running",
        .enabled(if: releasedLibrary != nil, "AQ_RELEASED_LIBRARY names the library"))
    func unload() throws {
        let library = try #require(Self.releasedLibrary)
        // Without the linker's flags: the library, and its dependencies, must not be loaded already.
        let toolbox = try InstalledToolbox.shared.get()
        let host = "\(toolbox.prefix)/plugin-host"
        let source = "\(InstalledToolbox.root)/Tests/AudioToolboxPrograms/c/plugin_player.c"
        try InstalledToolbox.output(
            of: "\(toolbox.toolchain)/clang", toolbox.compilerFlags + [source, "-o", host])
        let server = try ProgramRig().server
        let result = try ChildProcess.run(
            host, [library], environment: server.environment, deadlineSeconds: 20)
        result.expectSuccess()
        expectEqual(result.standardOutput, "done\n")
    }
}
