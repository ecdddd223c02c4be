// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc
import Synchronization

/// A server's devices, among which a pair that cancels echo is searched, and the module that makes one.
struct EchoCancelledSearch {
    private static let moduleName = "module-echo-cancel"
    /// The rates of the canceller, in hertz.
    private static let rates = [16_000, 32_000, 48_000]
    /// The length of PipeWire's periods while the pair is used, in frames.
    private static let pipeWirePeriod = 256
    /// The interval of questions for new devices.
    private static let pollMicroseconds: UInt32 = 10_000
    private static let nextNumber = Atomic<Int>(1)

    private let settings: EchoCancelledDevices.Settings
    private let timeoutSeconds: Double
    private let connection: PulseConnection
    private let losses: Int
    private let isPipeWire: Bool
    /// The names of the devices that play and capture.
    private let sink: String
    private let source: String
    private let sinks: [PulseDeviceDescription]
    private let sources: [PulseDeviceDescription]

    /// Queries the server.
    init(_ settings: EchoCancelledDevices.Settings, _ timeoutSeconds: Double) throws(DeviceError) {
        self.settings = settings
        self.timeoutSeconds = timeoutSeconds
        connection = try PulseConnection.connection(to: settings.server)
        let info = try PulseListing.askAboutServer(settings.server, timeoutSeconds: timeoutSeconds)
        isPipeWire = info.isPipeWire
        losses = connection.losses.load(ordering: .relaxed)
        sinks = try Self.devices(.sinks, settings.server, timeoutSeconds)
        sources = try Self.devices(.sources, settings.server, timeoutSeconds)
        sink = settings.sink ?? info.defaultSink
        source = settings.source ?? info.defaultSource
        let (sink, source) = (sink, source)
        guard sinks.contains(where: { $0.info.name == sink }) else {
            throw DeviceError(.noSuchDevice, "cannot cancel echo: the sound server has no sink '\(sink)'")
        }
        guard sources.contains(where: { $0.info.name == source }) else {
            throw DeviceError(.noSuchDevice, "cannot cancel echo: the sound server has no source '\(source)'")
        }
    }

    private static func devices(
        _ question: PulseQuestion, _ server: String?, _ timeoutSeconds: Double
    ) throws(DeviceError) -> [PulseDeviceDescription] {
        let answer = try PulseListing.answer(to: question, of: server, timeoutSeconds)
        guard case .devices(let devices) = answer else { return [] }
        return devices
    }

    private var rate: Int { Self.rates.first { Double($0) >= settings.sampleRate } ?? 48_000 }

    /// Whether a pair of this process has these settings, and still exists.
    func isUsable(_ pair: EchoCancelledPair) -> Bool {
        let other = pair.settings
        return other.server == settings.server && other.sink == settings.sink
            && other.source == settings.source && other.controlsGain == settings.controlsGain
            && pair.rate == rate && sinks.contains { $0.info.name == pair.sinkName }
            && sources.contains { $0.info.name == pair.sourceName }
    }

    /// The pair that a user has configured for these devices, or whose sink or source is one of them.
    func configured() -> EchoCancelledPair? {
        for sink in sinks where isOfUser(sink) && (sink.filter.master == self.sink || isWanted(sink)) {
            for source in sources where isOfUser(source) && source.filter.module == sink.filter.module {
                guard source.filter.master == self.source || source.info.name == self.source else { continue }
                return pair(sink.info.name, source.info.name, module: nil)
            }
        }
        return nil
    }

    private func isWanted(_ sink: PulseDeviceDescription) -> Bool { sink.info.name == self.sink }

    private func isOfUser(_ device: PulseDeviceDescription) -> Bool {
        device.filter.owner == nil && device.filter.module != nil
            && device.info.facts?.driver.contains(Self.moduleName) == true
    }

    /// Loads the module, after the modules of processes that have ended are unloaded.
    func load() throws(DeviceError) -> EchoCancelledPair {
        // Listed before the clients, so that the client of each module is listed unless it has ended.
        let modules = try PulseListing.answer(to: .modules, of: settings.server, timeoutSeconds)
        let answer = try PulseListing.answer(to: .clients, of: settings.server, timeoutSeconds)
        guard case .clients(let clients, let own) = answer else {
            throw DeviceError(.refused, "cannot cancel echo: the sound server does not list its clients")
        }
        if case .modules(let modules) = modules { unloadLeftovers(modules, clients) }
        let number = Self.nextNumber.add(1, ordering: .relaxed).oldValue
        let name = "echo_cancelled.\(own).\(number)"
        let (sinkName, sourceName) = ("\(name).output", "\(name).input")
        let owner = "\(PulseFilter.ownerProperty)=\(own)"
        // QUIRK: PipeWire's module processes 10 ms in each period, and drops the rest of a longer one. It requests
        // shorter periods, but a server may not allow them, in particular in virtual machines.
        let properties = isPipeWire ? "\"\(owner) node.force-quantum=\(Self.pipeWirePeriod)\"" : owner
        // The server's control of the microphone's own volume ("analog") would change the user's setting. One channel:
        // of several, the canceller would have to learn several paths.
        let arguments = [
            "sink_name=\(sinkName)", "source_name=\(sourceName)", "sink_master=\(sink)",
            "source_master=\(source)", "sink_properties=\(properties)", "source_properties=\(properties)",
            "rate=\(rate)", "channels=1", "aec_method=webrtc",
        ]
        let gain = settings.controlsGain ? 1 : 0
        let canceller =
            isPipeWire
            ? "webrtc.gain_control=\(gain) webrtc.voice_detection=0 webrtc.delay_agnostic=1"
            : "analog_gain_control=0 digital_gain_control=\(gain) voice_detection=0"
        let longPaths = isPipeWire ? "webrtc.extended_filter=1" : "extended_filter=1"
        func module(_ options: String) throws(DeviceError) -> UInt32 {
            let all = (arguments + ["aec_args=\"\(options)\""]).joined(separator: " ")
            let loaded = try PulseListing.answer(
                to: .loadModule(name: Self.moduleName, arguments: all), of: settings.server, timeoutSeconds)
            if case .module(let module) = loaded { return module }
            throw DeviceError(.refused, "cannot cancel echo: the sound server has not loaded the module")
        }
        let loaded: UInt32
        do throws(DeviceError) {
            loaded = try module("\(canceller) \(longPaths)")
        } catch  where error.code == .refused {
            // PulseAudio 17 has a canceller that always learns long paths, and refuses the option.
            loaded = try module(canceller)
        }
        let made = pair(sinkName, sourceName, module: loaded)
        do throws(DeviceError) { try waitForDevices(of: made) } catch {
            made.unload()
            throw error
        }
        return made
    }

    /// Waits until the server has the devices of a module.
    ///
    /// QUIRK: PipeWire answers before it has made them.
    private func waitForDevices(of pair: EchoCancelledPair) throws(DeviceError) {
        let deadline = aq_host_time() + UInt64(timeoutSeconds * 1e9)
        while true {
            let sinks = try Self.devices(.sinks, settings.server, timeoutSeconds)
            let sources = try Self.devices(.sources, settings.server, timeoutSeconds)
            if sinks.contains(where: { $0.info.name == pair.sinkName }),
                sources.contains(where: { $0.info.name == pair.sourceName })
            {
                return
            }
            guard aq_host_time() < deadline else {
                throw DeviceError(.refused, "cannot cancel echo: the sound server has not made the devices")
            }
            usleep(Self.pollMicroseconds)
        }
    }

    /// Unloads the modules of clients that the server does not have anymore. A client that has ended cannot do so.
    private func unloadLeftovers(_ modules: [PulseModule], _ clients: [UInt32]) {
        for module in modules where module.name == Self.moduleName {
            guard let owner = Self.owner(in: module.arguments), !clients.contains(owner) else { continue }
            pair("", "", module: module.number).unload()
        }
    }

    /// The connection that has loaded a module with these arguments; nil unless this library has.
    static func owner(in arguments: String) -> UInt32? {
        guard let found = arguments.firstRange(of: "\(PulseFilter.ownerProperty)=") else { return nil }
        return UInt32(arguments[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    private func pair(_ sinkName: String, _ sourceName: String, module: UInt32?) -> EchoCancelledPair {
        EchoCancelledPair(
            settings, rate: rate, sinkName: sinkName, sourceName: sourceName, module: module, connection,
            losses: losses)
    }
}
