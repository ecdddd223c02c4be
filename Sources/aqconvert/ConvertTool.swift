// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import Synchronization
import AQToolSupport

/// aqconvert, from the command line to the exit status.
enum ConvertTool {
    static let name = "aqconvert"
    private static let diagnostics = Diagnostics(toolName: name)

    static func run(_ arguments: [FilePath]) -> ExitStatus {
        do throws(UsageError) {
            if let text = try ConvertOptions.parser.generatedText(for: arguments) {
                return diagnostics.show(text)
            }
            switch try ConvertOptions.parse(arguments) {
            case .help: return diagnostics.show(ConvertOptions.parser.helpText())
            case .version: return diagnostics.show(ConvertOptions.parser.versionText)
            case .convert(let options): return convert(options)
            }
        } catch {
            diagnostics.report(error.message)
            return .usage
        }
    }

    private static func convert(_ options: ConvertOptions) -> ExitStatus {
        // A closed pipe and a file-size limit are errors to report, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let console = Console(toolName: name, isQuiet: options.isQuiet)
        do throws(ToolFailure) {
            return try Converting(options, console).run()
        } catch {
            console.error(error.message)
            return error.status
        }
    }
}
