import SoundHarness
import Testing

/// Whether tests that need a sound server run. They always do, unless AQ_NO_SERVER=1 is set: if the server's programs
/// are missing they fail with that reason.
let isServerExpected = Environment.value("AQ_NO_SERVER") != "1"

extension Trait where Self == ConditionTrait {
    /// For suites that start a private server.
    static var needsSoundServer: Self {
        .enabled(if: isServerExpected, "AQ_NO_SERVER=1 skips the tests against a real server")
    }
}

/// The declared capability itself: a machine without the chosen server fails here, by name.
@Suite("Sound server", .needsSoundServer)
struct SoundServerCapability {
    @Test("the programs of the chosen server are in PATH")
    func isInstalled() throws {
        for program in try SoundServerKind.chosen().programs {
            #expect(
                ToolPaths.isInPath(program),
                "install \(program): `make install-deps`, for PipeWire `make test-pipewire`, or set AQ_NO_SERVER=1"
            )
        }
    }
}
