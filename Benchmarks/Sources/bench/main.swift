// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") {
        say(Options.usage)
        exit(0)
    }
    let options = try Options(arguments)
    if let folder = options.redrawn {
        try Report(Record(ofAnyMachineIn: folder)).writePlots(to: folder)
    } else {
        var bench = try Bench(options)
        try bench.run()
    }
} catch {
    Terminal.clearProgress()
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(error is Interrupted ? Interrupted.exitStatus : 1)
}
