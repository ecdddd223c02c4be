// SPDX-License-Identifier: MIT

import AQSoundHarness
import AQTestSupport

extension ScratchFolder {
    /// Writes the test signal as a WAVE file at 48 kHz, and returns its path.
    func writeSignal(
        frames: Int, from position: Int = 0, as encoding: WaveFile.Encoding = .float32,
        name: String = "signal.wav"
    ) throws -> String {
        let path = "\(path)/\(name)"
        try WaveFile.write(
            TestSignal.make(sampleRate: 48000, frames: frames, from: position), as: encoding, toPath: path)
        return path
    }

    /// An environment in which no sound server is found.
    var serverlessEnvironment: [String: String?] {
        [
            "XDG_RUNTIME_DIR": path, "XDG_CONFIG_HOME": path, "PULSE_SERVER": "unix:\(path)/native",
            "PULSE_RUNTIME_PATH": path, "PULSE_CLIENTCONFIG": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
            "DISPLAY": nil,
        ]
    }
}
