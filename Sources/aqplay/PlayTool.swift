// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AQDeviceListing
import Glibc
import AQToolSupport

/// aqplay, from the command line to the exit status.
enum PlayTool {
    private static let diagnostics = Diagnostics(toolName: "aqplay")

    static func run(_ arguments: [FilePath]) -> ExitStatus {
        // A closed pipe is an error to report, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let console: Console
        let options: PlayOptions
        do throws(UsageError) {
            if let text = try PlayOptions.parser.generatedText(for: arguments, listing: listing) {
                return diagnostics.show(text)
            }
            switch try PlayOptions.parse(arguments) {
            case .help: return diagnostics.show(PlayOptions.parser.helpText())
            case .version: return diagnostics.show(PlayOptions.parser.versionText)
            case .listDevices(let isJSON): return listDevices(isJSON: isJSON)
            case .play(let asked): options = asked
            }
            console = Console(toolName: "aqplay", isQuiet: options.isQuiet)
        } catch {
            diagnostics.report(error.message)
            return .usage
        }
        // The command line overrides the environment.
        if options.isLatencyChosen { unsafe unsetenv("AQ_LATENCY") }
        return play(options, console)
    }

    private static func play(_ options: PlayOptions, _ console: Console) -> ExitStatus {
        do {
            if options.waitsAtStart, options.deviceName != "virtual" {
                ServerWait.wait(seconds: options.recoverySeconds, console)
            }
            // First, because the connection is made in the background while files are searched.
            let device = try device(named: options.deviceName)
            let list = TrackList(operands: options.operands, network: options.networkOptions { _ in })
            for problem in list.problems { console.error(DisplayText.sanitized(problem)) }
            let player = try Player(options: options, tracks: list.tracks, device: device, console: console)
            let status = try player.run()
            return status == .success && !list.problems.isEmpty ? .failure : status
        } catch let error as DeviceError {
            console.error(error.message)
            return .noSoundServer
        } catch {
            console.error("\(error)")
            return .failure
        }
    }

    private static func device(named name: String?) throws(DeviceError) -> any OutputDevice {
        switch name {
        case "virtual": VirtualDevice()
        case "default": try PulseDevice()
        default: try PulseDevice(sink: name)
        }
    }

    private static func listDevices(isJSON: Bool) -> ExitStatus {
        DeviceList.show(
            "devices", virtual: virtualDescription, isJSON: isJSON, diagnostics
        ) { () throws(DeviceError) in try PulseDevice.list() }
    }

    /// The values of `--device`, for completion.
    private static func listing(of option: String) -> [ValueWord] {
        DeviceList.sinks() + [ValueWord("virtual", help: virtualDescription)]
    }

    static let virtualDescription = "plays in real time without sound and without a server"
}
