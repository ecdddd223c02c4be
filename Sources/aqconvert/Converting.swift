// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQNetworkInput
import Synchronization
import AQToolSupport

/// The whole run: starts the conversions, waits for them on the main thread, shows their progress, and reports
/// failures.
final class Converting {
    /// The request to end: set after a signal, and read by the conversions.
    private final class Cancellation: Sendable {
        let isOn = Atomic<Bool>(false)
    }

    private let options: ConvertOptions
    private let console: Console
    private let workers: Workers
    private let cancellation: Cancellation
    private let showsProgress: Bool
    private var status = ExitStatus.success
    private var doneCount = 0
    /// Whether a signal has ended the recording of a live input.
    private var isEnding = false

    /// - Throws: ``ToolFailure`` if two outputs are the same, or the process is out of resources.
    init(_ options: ConvertOptions, _ console: Console) throws(ToolFailure) {
        self.options = options
        self.console = console
        let cancellation = Cancellation()
        self.cancellation = cancellation
        let conversions = try Self.targets(options).map { input, output, type in
            Conversion(
                input: input, output: output, type: type, options: options,
                isCancelled: { cancellation.isOn.load(ordering: .relaxed) },
                // At once, because it explains a gap of a recording that may take hours.
                onNotice: { console.warning($0) })
        }
        showsProgress = Terminal.takesEscapeSequences(2) && !options.isQuiet
        do throws(SystemError) { workers = try Workers(conversions) } catch {
            throw ToolFailure(.failure, error.message)
        }
    }

    /// Returns the output of each input.
    static func targets(
        _ options: ConvertOptions
    ) throws(ToolFailure) -> [(input: FilePath, output: FilePath, type: AudioFileType)] {
        if let output = options.output {
            let type = options.targetType ?? .wave
            return options.inputs.map { ($0, output, type) }
        }
        let type = options.type ?? .wave
        let directory = options.outputDirectory ?? "."
        var seen: [FilePath: FilePath] = [:]
        var targets: [(FilePath, FilePath, AudioFileType)] = []
        let dotExtension = FilePath(".\(type.pathExtensions.first ?? "out")")
        for (input, folder) in try files(options.inputs, without: directory) {
            let stem = Self.stem(of: input)
            let output = directory.joined(folder.joined(stem + dotExtension))
            if let other = seen.updateValue(input, forKey: output) {
                throw ToolFailure(
                    .usage, "'\(other)' and '\(input)' would both become '\(output)'")
            }
            targets.append((input, output, type))
        }
        return targets
    }

    private static func stem(of input: FilePath) -> FilePath {
        if let address = RemoteAddress(bytes: input.bytes) {
            // A name with a slash, from an escape, must not select a folder.
            return FilePath(address.displayName.filter { $0 != "/" }).splitExtension.stem
        }
        return input == "-" ? "stdin" : input.name.splitExtension.stem
    }

    /// Returns the inputs, with each folder replaced by the audio files below it, and with the subfolders of these
    /// files.
    private static func files(
        _ inputs: [FilePath], without output: FilePath
    ) throws(ToolFailure) -> [(path: FilePath, folder: FilePath)] {
        var files: [(path: FilePath, folder: FilePath)] = []
        for input in inputs {
            if AudioFolder.isFolder(input) {
                files += try InputFolder(input, without: output).files
            } else {
                files.append((input, ""))
            }
        }
        return files
    }

    /// Converts all files.
    ///
    /// - Returns: 1 if a file failed, and 74 if an output could not be written.
    func run() throws(ToolFailure) -> ExitStatus {
        do throws(SystemError) {
            let signals = try SignalWaiter([SIGINT, SIGTERM, SIGHUP])
            try workers.start(options.jobs ?? Self.cores)
            while doneCount < workers.conversions.count {
                if let signal = wait(signals) { return signal }
            }
            console.clearProgress()
            return status
        } catch {
            throw ToolFailure(.failure, error.message)
        }
    }

    /// The number of processors that this process may use.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// - Returns: The exit status if a signal ends the run.
    private func wait(_ signals: SignalWaiter) -> ExitStatus? {
        var requests = [
            pollfd(fd: signals.readDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: workers.readDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        // SAFETY: poll fills the local array.
        unsafe _ = poll(&requests, nfds_t(requests.count), showsProgress ? 100 : -1)
        for outcome in workers.takeOutcomes() { report(outcome) }
        if let signal = signals.next() {
            // A second signal does not wait for the end of a recording.
            if !isEnding, workers.conversions.count(where: { $0.endRecording() }) > 0 {
                isEnding = true
                return nil
            }
            cancellation.isOn.store(true, ordering: .relaxed)
            console.clearProgress()
            waitForCancelled()
            return .interrupted(bySignal: signal)
        }
        if showsProgress, doneCount < workers.conversions.count {
            let bar = ProgressBar(workers.conversions.map(\.progress), done: doneCount)
            console.showProgress { bar.text(columns: $0) }
        }
        return nil
    }

    /// Waits for cancelled conversions. Their threads remove the unfinished files within the time of a block. If a pipe
    /// blocks a thread, its file is removed here.
    private func waitForCancelled() {
        var request = pollfd(fd: workers.readDescriptor, events: Int16(POLLIN), revents: 0)
        for _ in 0..<20 where doneCount < workers.conversions.count {
            // SAFETY: poll fills a local.
            unsafe _ = poll(&request, 1, 100)
            doneCount += workers.takeOutcomes().count
        }
        for conversion in workers.conversions { conversion.abandon() }
    }

    private func report(_ outcome: Workers.Outcome) {
        doneCount += 1
        switch outcome.result {
        case .success(let report):
            for warning in report.warnings { console.warning("'\(report.input)': \(warning)") }
            if options.isVerbose { console.detail(report.text(seconds: outcome.seconds)) }
        case .failure(let error):
            console.error(error.message)
            if status != .inputOutput { status = error.status }
        }
    }
}
