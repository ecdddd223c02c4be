// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AQDeviceListing
import Glibc
import AQToolSupport

/// aqrecord, from the command line to the exit status.
enum RecordTool {
    static let name = "aqrecord"
    private static let diagnostics = Diagnostics(toolName: name)

    static func run(_ arguments: [FilePath]) -> ExitStatus {
        do throws(UsageError) {
            if let text = try RecordOptions.parser.generatedText(for: arguments, listing: listing) {
                return diagnostics.show(text)
            }
            switch try RecordOptions.parse(arguments) {
            case .help: return diagnostics.show(RecordOptions.parser.helpText())
            case .version: return diagnostics.show(RecordOptions.parser.versionText)
            case .listDevices(let isJSON): return listDevices(isJSON: isJSON)
            case .record(let options): return record(options)
            }
        } catch {
            diagnostics.report(error.message)
            return .usage
        }
    }

    private static func record(_ options: RecordOptions) -> ExitStatus {
        // A closed pipe and a file-size limit are errors to report, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let console = Console(toolName: name, isQuiet: options.isQuiet)
        do throws(ToolFailure) {
            try options.target.check(
                overwrites: options.overwrites, isNumbered: options.split != nil, source: options.source.file)
            if options.waitsAtStart, !options.source.isVirtual {
                ServerWait.wait(seconds: options.recoverySeconds, console)
            }
            let (device, end) = try options.source.makeDevice(options)
            let recorder = try Recorder(options: options, device: device, sourceEnd: end, console: console)
            return recorder.run()
        } catch {
            console.error(error.message)
            return error.status
        }
    }

    private static func listDevices(isJSON: Bool) -> ExitStatus {
        DeviceList.show(
            "sources", virtual: virtualDescription, isJSON: isJSON, diagnostics
        ) { () throws(DeviceError) in try PulseSource.list() }
    }

    /// The values of `--device` and `--monitor`, for completion.
    private static func listing(of option: String) -> [ValueWord] {
        guard option == "device" else {
            return [ValueWord("default", help: "the default sink")] + DeviceList.sinks()
        }
        return DeviceList.sources() + [
            ValueWord("virtual", help: "silence, without a server"),
            ValueWord("virtual:tone=", help: "a tone of this frequency, in hertz"),
            ValueWord("virtual:sequence", help: "counting samples"),
            ValueWord("virtual:file=", help: "an audio file, followed by silence"),
        ]
    }

    static let virtualDescription = "silence, a tone or a file, without a server"
}
