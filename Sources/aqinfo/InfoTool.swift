// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// aqinfo, from the command line to the exit status.
enum InfoTool {
    static let name = "aqinfo"

    static func run(_ arguments: [FilePath], _ surroundings: Surroundings) -> ExitStatus {
        do throws(UsageError) {
            if let text = try InfoOptions.parser.generatedText(for: arguments) {
                return show(text, surroundings)
            }
            switch try InfoOptions.parse(arguments) {
            case .help: return show(InfoOptions.parser.helpText(), surroundings)
            case .version: return show(InfoOptions.parser.versionText, surroundings)
            case .inspect(let options): return inspect(options, surroundings)
            }
        } catch {
            surroundings.complain(error.message)
            return .usage
        }
    }

    /// The statuses of files, from the best to the worst.
    private static let severity: [ExitStatus] = [.success, .warnings, .unchecked, .failure]

    private static func inspect(_ options: InfoOptions, _ surroundings: Surroundings) -> ExitStatus {
        let survey = LoudnessSurvey(options: options, surroundings: surroundings)
        var inspector = Inspector(options: options, surroundings: surroundings, survey: survey)
        do throws(ToolFailure) {
            let isArray = options.isJSON && (options.operands.count > 1 || options.measuresAlbum)
            var status = ExitStatus.success
            if isArray { try inspector.put("[\n") }
            for (index, path) in options.operands.enumerated() {
                if index > 0, options.isJSON { try inspector.put(",\n") }
                let found = try inspector.inspect(path)
                if severity.firstIndex(of: found) ?? 0 > severity.firstIndex(of: status) ?? 0 {
                    status = found
                }
            }
            if options.measuresAlbum { try inspector.reportAlbum() }
            if isArray { try inspector.put("]\n") }
            return survey.status(status)
        } catch {
            surroundings.complain(error.message)
            return error.status
        }
    }

    private static func show(_ text: String, _ surroundings: Surroundings) -> ExitStatus {
        let failure = surroundings.write(text)
        guard failure != 0 else { return .success }
        surroundings.complain(ToolFailure(writing: failure).message)
        return .inputOutput
    }
}

extension ToolFailure {
    /// - Parameter code: The `errno` of writing to standard output.
    init(writing code: Int32) {
        self.init(.inputOutput, "cannot write to standard output: \(systemErrorText(code).lowercased())")
    }
}
