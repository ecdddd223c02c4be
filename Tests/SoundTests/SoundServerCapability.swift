// SPDX-License-Identifier: MIT

import AQSoundHarness
import Testing

/// A machine without the chosen server fails here, by name.
@Suite("Sound server")
struct SoundServerCapability {
    @Test("the programs of the chosen server are in PATH")
    func isInstalled() throws {
        for program in try SoundServerKind.chosen().programs {
            #expect(
                ToolPaths.isInPath(program),
                "install \(program): `make install-deps`, for PipeWire `make test-pipewire`, or skip SoundTests"
            )
        }
    }
}
