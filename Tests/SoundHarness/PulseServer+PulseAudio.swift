extension PulseServer {
    /// Starts PulseAudio with what is needed and nothing else, neither the user's nor the system's modules.
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
