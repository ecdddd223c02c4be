import AudioFiles
import Synchronization
import ToolSupport

/// Opens the tracks in the order in which they are played, and reports those that fail.
///
/// The lock of ``Feeder`` guards it, except for constants and ``hasFailures``.
final class TrackSequence {
    private let tracks: [TrackList.Track]
    private let options: PlayOptions
    private let console: Console
    private let showsProgress: Bool
    private var order: PlayOrder
    private var nextStep = 0
    /// The step from which playback went back; nil after a previous track is open.
    private var stepBeforeGoingBack: Int?
    /// The number of consecutive tracks without audio. It ends a list that has no audio at all.
    private var barrenTracks = 0
    private var failed: [TrackReport] = []
    private let hasFailed = Atomic(false)

    init(tracks: [TrackList.Track], options: PlayOptions, console: Console, showsProgress: Bool) {
        self.tracks = tracks
        self.options = options
        self.console = console
        self.showsProgress = showsProgress
        let seed = options.isShuffled ? UInt64.random(in: 0...UInt64.max) : nil
        order = PlayOrder(trackCount: tracks.count, passes: options.passes, shuffleSeed: seed)
    }

    var trackCount: Int { tracks.count }

    /// Whether more than one track is played, or one track more than once.
    var playsSeveral: Bool { tracks.count > 1 || options.passes != 1 }

    /// Whether a track could not be played, in whole or in part.
    var hasFailures: Bool { hasFailed.load(ordering: .relaxed) }

    /// The number of a step's track in the list, from 1.
    func trackNumber(ofStep step: Int) -> Int { (order.track(at: step) ?? 0) + 1 }

    // MARK: The order

    /// Continues at another step than that of the audible track.
    func go(to step: Int, from played: Playback?) {
        nextStep = step
        stepBeforeGoingBack = played.flatMap { $0.step > step ? $0.step : nil }
        barrenTracks = 0
        if let played { failed.append(played.report) }
    }

    /// Continues after a track that is being read again.
    func goOn(behind playback: Playback) { nextStep = playback.step + 1 }

    /// Returns the step to go back to from `step`.
    func stepBack(from step: Int) -> Int { order.stepBack(from: step) }

    func didGiveSound(_ playback: Playback) {
        barrenTracks = 0
        order.note(step: playback.step, gaveSound: true)
    }

    func gaveNoSound(_ playback: Playback) { order.note(step: playback.step, gaveSound: false) }

    /// Opens the next track that can be opened.
    ///
    /// - Parameter isAwaited: Whether nothing is audible meanwhile.
    func openNext(isAwaited: Bool = false) -> Playback? {
        while barrenTracks < max(1, tracks.count), let index = order.track(at: nextStep) {
            let step = nextStep
            nextStep += 1
            barrenTracks += 1
            do throws(AudioFileError) {
                let track = tracks[index]
                let playback = try Playback(track, step: step, options: options) { [self] bytes in
                    if isAwaited && showsProgress { showWait(for: track, bytes: bytes) }
                }
                stepBeforeGoingBack = nil
                return playback
            } catch {
                order.note(step: step, gaveSound: false)
                if let start = stepBeforeGoingBack {
                    let earlier = order.stepBack(from: step)
                    nextStep = earlier < step ? earlier : start
                }
                let path = tracks[index].path
                let address = NetworkAddress.refusal(of: path, command: "aqplay -")
                let message = error.code == .notFound ? address ?? error.message : error.message
                complain(message)
                failed.append(TrackReport(file: path, error: message))
            }
        }
        return nil
    }

    /// Shows the reason why nothing is audible.
    private func showWait(for track: TrackList.Track, bytes: Int64) {
        let title = Playback.title(of: track, tags: AudioFileTags())
        let megabytes = Decimal.text(Double(bytes) / 1e6, decimals: 1)
        let line = DisplayText.sanitized(
            "\(title): its index is at the end: reading the whole file first, \(megabytes) MB")
        console.showProgress { DisplayText.truncated(line, toColumns: $0) }
    }

    // MARK: Failures

    /// Returns the reports of tracks that were left or could not be played since the last call.
    func takeFailed() -> [TrackReport] {
        defer { failed = [] }
        return failed
    }

    /// Reports a track that is not played further.
    func fail(_ playback: Playback, _ message: String) {
        complain(playback, message)
        failed.append(playback.report)
    }

    func complain(_ playback: Playback, _ message: String) {
        playback.error = message
        complain(message)
    }

    func complain(_ message: String) {
        hasFailed.store(true, ordering: .relaxed)
        console.error(message)
    }
}
