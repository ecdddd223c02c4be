import SoundHarness
import Testing

/// Whether tests that need a sound server are to run. They always are, unless AQ_NO_SERVER=1 says otherwise:
/// where PulseAudio is missing they fail and say so.
let isServerExpected = Environment.value("AQ_NO_SERVER") != "1"

extension Trait where Self == ConditionTrait {
    /// For suites that start a private server.
    static var needsSoundServer: Self {
        .enabled(if: isServerExpected, "AQ_NO_SERVER=1 skips the tests against a real server")
    }
}

/// The declared capability itself: a machine without PulseAudio fails here, by name.
@Suite("Sound server", .needsSoundServer)
struct SoundServerCapability {
    @Test(
        "the programs of a PulseAudio server are in PATH",
        arguments: ["pulseaudio", "pactl", "parec", "paplay"])
    func isInstalled(program: String) {
        #expect(ToolPaths.isInPath(program), "install \(program): `make install-deps`, or set AQ_NO_SERVER=1")
    }
}
