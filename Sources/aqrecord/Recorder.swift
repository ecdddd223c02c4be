// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc
import AQToolSupport

/// Records: makes the queue, waits for events, and ends. All of it runs on the main thread.
///
/// Without a terminal, the thread wakes only for signals, for the ends of files, and for faults.
final class Recorder {
    /// The time in seconds after which a pending end is reported.
    static let patienceSeconds = 2.0

    let options: RecordOptions
    let console: Console
    let format: RecordingFormat
    let outbox: Outbox
    let intake: Intake
    let queue: InputQueue
    let keyboard: Keyboard
    let showsProgress: Bool
    let barStyle: BarStyle
    /// Whether a user can read the messages.
    let isAttended: Bool

    var peakHold = PeakHold()
    var isPaused = false
    /// The time when the end was requested, in seconds of the monotonic clock.
    var stopTime: Double?
    var exitStatus: ExitStatus?
    /// Whether a report could not be written.
    var hasReportFailed = false
    /// The events of the device that were reported.
    var deviceNews = DeviceNews()
    private var hasReportedWaiting = false
    private(set) var signals: SignalWaiter?

    /// Prepares everything except the file.
    ///
    /// - Parameter sourceEnd: Returns the frame at which the source has ended; the recording ends there.
    /// - Throws: ``ToolFailure``.
    init(
        options: RecordOptions, device: any InputDevice, sourceEnd: SourceChoice.End? = nil, console: Console
    ) throws(ToolFailure) {
        self.options = options
        self.console = console
        do throws(SystemError) { outbox = try Outbox() } catch { throw ToolFailure(.failure, error.message) }
        showsProgress = Terminal.takesEscapeSequences(2) && !options.isQuiet
        isAttended = Terminal.isTerminal(2) && !options.isQuiet
        let isAtTerminal = Terminal.isTerminal(2) || Terminal.isTerminal(1)
        keyboard = Keyboard(isAtTerminal ? Terminal.forKeys(standardInputIsData: false) : nil)
        barStyle = showsProgress ? .ofTerminal : .ascii
        format = try Recorder.format(options, of: device)
        intake = Recorder.makeIntake(options, format, sourceEnd, isAttended: isAttended, outbox)
        queue = try Recorder.makeQueue(options, format, device, intake, outbox, showsProgress: showsProgress)
    }

    /// Records until the end. When it returns, the terminal is restored, the files are closed, and all reports are
    /// written.
    func run() -> ExitStatus {
        do {
            let signals = try SignalWaiter([SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP, SIGCONT, SIGWINCH])
            self.signals = signals
            if options.isVerbose { describe() }
            try queue.start()
            keyboard.start()
            while exitStatus == nil {
                waitForEvent(signals)
                drawProgress()
            }
        } catch {
            console.error("cannot record: \(error)")
            exitStatus = .failure
        }
        keyboard.stop()
        console.clearProgress()
        return exitStatus ?? .success
    }

    // MARK: Waiting

    private func waitForEvent(_ signals: SignalWaiter) {
        let isReady = keyboard.wait(
            for: signals, events: outbox.readDescriptor, milliseconds: timeoutMilliseconds, press)
        if isReady {
            while let signal = signals.next() { handle(signal, signals) }
            for message in outbox.take() where exitStatus == nil { handle(message) }
        }
        reportWaiting()
    }

    /// The time in milliseconds until the screen is drawn or a pending end is reported; -1 for no limit.
    private var timeoutMilliseconds: Int32 {
        if isDrawing, !isPaused { return 100 }
        guard let stopTime, !hasReportedWaiting else { return -1 }
        let seconds = stopTime + Recorder.patienceSeconds - MonotonicClock.seconds
        return Int32(min(max(seconds * 1000 + 1, 0), 10_000))
    }

    var isDrawing: Bool { showsProgress && keyboard.mayDraw }

    private func handle(_ signal: Int32, _ signals: SignalWaiter) {
        switch signal {
        case SIGTSTP: suspend(signals)
        case SIGCONT: keyboard.start()
        case SIGWINCH: console.clearProgress()
        case SIGUSR1: startNextFile()
        default:
            if stopTime != nil {
                console.error("ended without waiting for \(options.target.name) to be written")
                exitStatus = .interrupted(bySignal: signal)
            } else {
                stop(.signal)
            }
        }
    }

    /// Pauses, restores the terminal, and stops until the process is continued.
    private func suspend(_ signals: SignalWaiter) {
        let wasPaused = isPaused
        if !wasPaused { setPaused(true) }
        keyboard.stop()
        console.clearProgress()
        signals.stopProcess()
        keyboard.start()
        if !wasPaused { setPaused(false) }
    }

    // MARK: The end

    /// Ends the recording with all audio captured until now.
    func stop(_ ending: FileReport.Ending) {
        guard stopTime == nil else { return }
        stopTime = MonotonicClock.seconds
        // A return that was not reported is reported before the end, which changes the meaning of more silence.
        reportMissingSilence()
        deviceNews.end()
        intake.requestEnd(ending)
        do throws(QueueError) {
            // The stop waits at most two seconds for the callbacks; the outbox reports their end.
            let stopQueue = { [queue] () throws(QueueError) in try queue.stop(immediate: true) }
            if let signals { try signals.endingAtNextSignal(stopQueue) } else { try stopQueue() }
        } catch {
            console.error("cannot stop: \(error.message)")
            exitStatus = .failure
        }
        // Before the reports of the files, which the outbox contains.
        if deviceNews.isLost { deviceChanged() }
    }

    private func reportWaiting() {
        guard let stopTime, exitStatus == nil, !hasReportedWaiting,
            MonotonicClock.seconds >= stopTime + Recorder.patienceSeconds
        else { return }
        hasReportedWaiting = true
        console.detail(
            "still writing to \(FileReport.name(intake.currentStatus.path)); Ctrl-C ends without waiting"
        )
    }
}
