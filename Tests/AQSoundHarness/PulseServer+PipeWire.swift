// SPDX-License-Identifier: MIT

import AQTestSupport

extension PulseServer {
    /// Starts PipeWire, WirePlumber and PipeWire's PulseAudio server, as a user's session does, in a D-Bus
    /// session of their own.
    func startPipeWire(deadlineSeconds: Double) throws {
        try writePipeWireConfiguration()
        // A process group, because killing dbus-run-session alone would leave the bus.
        try launch(
            "dbus-run-session", ["--config-file=\(folder)/bus.conf", "--", "sleep", "infinity"], isGroup: true
        )
        try waitUntilAccepting("\(folder)/bus", "its D-Bus session", deadlineSeconds: deadlineSeconds)

        let variables: [String: String?] = [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "PIPEWIRE_RUNTIME_DIR": folder,
            "PIPEWIRE_REMOTE": nil, "PIPEWIRE_CONFIG_DIR": nil, "WIREPLUMBER_CONFIG_DIR": nil,
        ]
        try launch("pipewire", environment: variables)
        try waitUntilAccepting("\(folder)/pipewire-0", "PipeWire", deadlineSeconds: deadlineSeconds)
        try launch("wireplumber", environment: variables)
        try launch("pipewire-pulse", environment: variables)
    }

    private func writePipeWireConfiguration() throws {
        // One rate, so that nothing is resampled. For exact tests, long periods: on a busy machine a late stream is
        // silent for one, although no frame is lost. They are set for virtual machines as well, where PipeWire would
        // choose others.
        let shortest = options.periodFrames ?? (options.hasRewinds ? 256 : 512)
        // Versions 0.3 and 1 have different settings for virtual machines.
        let core = """
            context.properties = {
                default.clock.rate = \(options.sampleRate)
                default.clock.allowed-rates = [ \(options.sampleRate) ]
                default.clock.quantum = 1024
                default.clock.min-quantum = \(shortest)
                vm.overrides = { default.clock.min-quantum = \(shortest) }
            }
            context.properties.rules = [
                {
                    matches = [ { cpu.vm.name = !null } ]
                    actions = { update-props = { default.clock.min-quantum = \(shortest) } }
                }
            ]

            """
        // Replaces the system's file, which creates a sink if there is none, and would attract streams.
        let front = """
            context.spa-libs = {
                audio.convert.* = audioconvert/libspa-audioconvert
                support.* = support/libspa-support
            }
            context.modules = [
                { name = libpipewire-module-rt, flags = [ ifexists nofail ] }
                { name = libpipewire-module-protocol-native }
                { name = libpipewire-module-client-node }
                { name = libpipewire-module-adapter }
                { name = libpipewire-module-metadata }
                { name = libpipewire-module-protocol-pulse }
            ]
            pulse.properties = { server.address = [ "unix:\(socketPath)" ] }

            """
        let bus = """
            <busconfig>
                <type>session</type>
                <listen>unix:path=\(folder)/bus</listen>
                <auth>EXTERNAL</auth>
                <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                </policy>
            </busconfig>

            """
        try SystemFile.write(Array(bus.utf8), toPath: "\(folder)/bus.conf")
        for folder in ["\(folder)/pipewire", "\(folder)/pipewire/pipewire.conf.d"] {
            try SystemFile.makeFolder(folder)
        }
        try SystemFile.write(Array(core.utf8), toPath: "\(folder)/pipewire/pipewire.conf.d/harness.conf")
        try SystemFile.write(Array(front.utf8), toPath: "\(folder)/pipewire/pipewire-pulse.conf")
    }
}
