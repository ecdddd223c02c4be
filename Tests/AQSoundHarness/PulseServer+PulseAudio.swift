// SPDX-License-Identifier: MIT

extension PulseServer {
    /// Starts PulseAudio with the required modules only, without those of the user or the system.
    func startPulseAudio() throws {
        try launch(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no",
                "--log-target=file:\(folder)/log",
                "-L", "module-null-sink " + options.moduleArguments.joined(separator: " "),
                "-L", "module-native-protocol-unix socket=\(socketPath) auth-anonymous=1",
            ])
    }
}
