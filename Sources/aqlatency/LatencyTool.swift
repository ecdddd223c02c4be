// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AQDeviceListing
import Glibc
import AQToolSupport

/// aqlatency, from the command line to the exit status.
enum LatencyTool {
    private static let name = "aqlatency"
    private static let diagnostics = Diagnostics(toolName: name)

    static func run(_ arguments: [FilePath]) -> ExitStatus {
        // A closed pipe is an error to report, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(UsageError) {
            if let text = try LatencyOptions.parser.generatedText(for: arguments, listing: listing) {
                return diagnostics.show(text)
            }
            switch try LatencyOptions.parse(arguments) {
            case .help: return diagnostics.show(LatencyOptions.parser.helpText())
            case .version: return diagnostics.show(LatencyOptions.parser.versionText)
            case .listDevices(let isOfSources, let isJSON):
                return listDevices(isOfSources: isOfSources, isJSON: isJSON)
            case .measure(let options): return measure(options)
            }
        } catch {
            diagnostics.report(error.message)
            return .usage
        }
    }

    /// The devices that completion offers for an option.
    private static func listing(_ option: String) -> [ValueWord] {
        option == "source" ? DeviceList.sources() : DeviceList.sinks()
    }

    private static func measure(_ options: LatencyOptions) -> ExitStatus {
        // The measurement requests the lowest latency of every queue.
        unsafe unsetenv("AQ_LATENCY")
        let console = Console(toolName: name, isQuiet: options.isQuiet)
        do throws(ToolFailure) {
            return try LatencyMeasurement(options, console).run()
        } catch {
            console.error(error.message)
            return error.status
        }
    }

    private static func listDevices(isOfSources: Bool, isJSON: Bool) -> ExitStatus {
        DeviceList.show(isOfSources ? "sources" : "devices", virtual: nil, isJSON: isJSON, diagnostics) {
            () throws(DeviceError) in
            try isOfSources ? PulseSource.list() : PulseDevice.list()
        }
    }
}
