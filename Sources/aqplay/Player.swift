// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc
import AQToolSupport

/// Plays the tracks: makes queues, waits for events, and ends. All of it runs on the main thread.
///
/// Without a terminal, the thread wakes only for signals, for commands from the message bus, and for the end of each
/// track, which it checks once for each buffer.
final class Player {
    /// The duration that is decoded before a queue starts.
    static let primedSeconds = 0.1
    /// The time after which a fade-out has ended.
    private static let fadeMicroseconds: UInt32 = 60_000

    let options: PlayOptions
    let console: Console
    let device: any OutputDevice
    let feeder: Feeder
    let keyboard: Keyboard
    let showsProgress: Bool
    let barStyle: BarStyle
    /// Whether a track on a server is being opened, and there is no queue meanwhile.
    var isOpening = false
    /// The event that a track on a server is open, or cannot be opened.
    static let openedEvent: UInt8 = 255
    /// The events of queues: the serial number of a queue that has stopped, or 0 for other events.
    let queueEvents: EventPipe
    var queueSerial: UInt8 = 0

    var queue: OutputQueue?
    var isPaused = false
    /// Whether the current queue was started; not if it was made during a pause.
    var hasStarted = false
    var gain: Float
    var speed: Double
    /// Whether the speed of the current queue can be changed.
    var hasSpeedControl = false
    /// The moves that keys have requested and that were not made so far, with the times at which they are dropped.
    var moves: [(move: Move, deadline: Double)] = []
    /// The note that answers a key, and the time until which the line shows it.
    var keyNote: (text: String, end: Double)?
    /// The end of the time for which the line shows a changed volume, in seconds of the monotonic clock.
    var gainNewsEnd = -Double.infinity
    var lastStatus = Feeder.Status()
    /// The number of frames that the queue had played at ``lastStatus``.
    var lastStatusFrames: Int64 = 0
    /// The last value of the current queue, for the time after a failure, when the queue reports none.
    var lastPlayedFrames: Int64 = 0
    /// The number of played frames when it changed last, and that time, in seconds of the monotonic clock.
    var latestProgress = (frames: Int64(0), time: MonotonicClock.seconds)
    var exitStatus: ExitStatus?
    var reportedUnderruns = 0
    var reportedDamage = 0
    /// The player on the session's message bus; nil if there is no bus.
    let remote: RemoteControl?

    /// - Throws: ``SystemError`` if the process is out of descriptors.
    init(
        options: PlayOptions, tracks: [TrackList.Track], device: any OutputDevice, console: Console
    ) throws(SystemError) {
        self.options = options
        self.console = console
        self.device = device
        gain = options.gain
        speed = options.speed ?? 1
        showsProgress = Terminal.takesEscapeSequences(2) && !options.isQuiet
        barStyle = showsProgress ? .ofTerminal : .ascii
        feeder = Feeder(tracks: tracks, options: options, console: console, showsProgress: showsProgress)
        queueEvents = try EventPipe()
        remote = RemoteControl(waking: queueEvents)
        let isAtTerminal = showsProgress || Terminal.isTerminal(2) || Terminal.isTerminal(1)
        let readsInput = tracks.contains { $0.path == "-" }
        keyboard = Keyboard(isAtTerminal ? Terminal.forKeys(standardInputIsData: readsInput) : nil)
    }

    /// Plays all tracks. When it returns, the terminal is restored and all reports are written.
    ///
    /// - Throws: ``SystemError`` if the process is out of descriptors.
    func run() throws(SystemError) -> ExitStatus {
        openQueue()
        // Installed only now: before playback, signals need their default actions, because the first read of a pipe may
        // block for ever.
        let signals = try SignalWaiter([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])
        keyboard.start()
        while exitStatus == nil {
            // The timeout depends on the audible position.
            update()
            drawProgress()
            publish()
            waitForEvent(signals)
            executeMoves()
            obeyRemote()
        }
        remote?.close()
        keyboard.stop()
        console.clearProgress()
        return exitStatus ?? .success
    }

    // MARK: Waiting

    private func waitForEvent(_ signals: SignalWaiter) {
        let isReady = keyboard.wait(
            for: signals, events: queueEvents.readDescriptor, milliseconds: timeoutMilliseconds, press)
        guard isReady else { return }
        while let signal = signals.next() { handle(signal, signals) }
        while let serial = queueEvents.next() {
            if serial == Player.openedEvent, isOpening, exitStatus == nil {
                isOpening = false
                openQueue()
            } else if serial == queueSerial && exitStatus == nil {
                queueStopped()
            }
        }
    }

    /// The time in milliseconds until the screen is drawn, or until a track ends that has to be reported and closed; -1
    /// for no limit.
    private var timeoutMilliseconds: Int32 {
        if !moves.isEmpty { return 5 }
        if let milliseconds = remoteMilliseconds { return milliseconds }
        if showsGainNews || isDrawing && presentKeyNote != nil { return 100 }
        if isOpening, isDrawing { return 100 }
        guard queue != nil, !isPaused else { return -1 }
        if isDrawing { return 100 }
        // The titles of a broadcast change without an event.
        if feeder.networkState != nil, lastStatus.current?.isSeekable == false { return 1000 }
        // The queue reports the end of the last track.
        guard feeder.playsSeveral else { return -1 }
        // If the end is not enqueued, or a file is being read, the end is more than a buffer away.
        var seconds = options.bufferSeconds / speed
        if let current = lastStatus.current, let frames = current.framesUntilEnd {
            seconds = Double(frames) / current.sampleRate / speed
        }
        return Int32(min(max(seconds * 1000 + 5, 5), 60_000))
    }

    private func handle(_ signal: Int32, _ signals: SignalWaiter) {
        switch signal {
        case SIGTSTP: suspend(signals)
        case SIGCONT: keyboard.start()
        case SIGWINCH: console.clearProgress()
        default:
            stop()
            end(.interrupted(bySignal: signal))
        }
    }

    /// Pauses, restores the terminal, and stops until the process is continued.
    private func suspend(_ signals: SignalWaiter) {
        let wasPaused = isPaused
        if !wasPaused { setPaused(true) }
        publish()
        // A stopped process cannot finish its fade-out.
        usleep(Player.fadeMicroseconds)
        keyboard.stop()
        console.clearProgress()
        signals.stopProcess()
        keyboard.start()
        if !wasPaused { setPaused(false) }
    }

    // MARK: The end

    /// Stops playback with a short fade, and reports the audible track.
    func stop() {
        guard let queue else { return }
        update()
        do throws(QueueError) {
            if feeder.hold(playedFrames: playedFrames) != nil {
                try queue.stop(immediate: true)
                // The process may end next, which would cut off the fade-out.
                usleep(Player.fadeMicroseconds)
                if let interrupted = feeder.takeInterrupted() { report(interrupted) }
            } else {
                // The callback thread is reading, perhaps for ever, and a stop would wait for the thread.
                try queue.pause()
                usleep(Player.fadeMicroseconds)
            }
        } catch {
            console.error("cannot stop: \(error.message)")
        }
        self.queue = nil
    }

    /// Ends ``run()``. The status of the first call counts.
    func end(_ status: ExitStatus) {
        if exitStatus == nil { exitStatus = status }
    }
}
