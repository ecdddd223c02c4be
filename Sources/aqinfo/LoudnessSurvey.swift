// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import Glibc
import AQToolSupport

/// The loudness of all files of a run, for `--loudness`, `--album` and `--write-tags`.
final class LoudnessSurvey {
    private let options: InfoOptions
    private let surroundings: Surroundings
    /// The measured files; only if an album is measured.
    private var files: [(path: FilePath, meter: LoudnessMeter, loudness: Loudness)] = []
    private var hasFailure = false
    private var hasHead = false

    init(options: InfoOptions, surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// Returns the meter for a file; nil after a failure, which is reported.
    func meter(for file: AudioFile) -> LoudnessMeter? {
        do throws(LoudnessMeter.Failure) {
            let labels =
                DecodedChannelOrder.labels(of: file.format, magicCookie: file.magicCookie)
                ?? file.channelLabels
            return try LoudnessMeter(sampleRate: file.format.mSampleRate, labels: labels)
        } catch {
            fail(error.message)
            return nil
        }
    }

    /// Ends the measurement of a file, and writes its tags unless they need the values of the album.
    ///
    /// - Parameter failure: The reason why the file was not decoded completely; nil if it was.
    func end(_ meter: LoudnessMeter?, of path: FilePath, failure: String?) -> Loudness? {
        guard let meter, failure == nil else {
            hasFailure = true
            return nil
        }
        do throws(LoudnessMeter.Failure) {
            let loudness = try meter.end()
            if options.measuresAlbum {
                files.append((path, meter, loudness))
            } else if options.writesTags {
                write(loudness, album: nil, to: path)
            }
            return loudness
        } catch {
            fail(error.message)
            return nil
        }
    }

    /// Records that a file cannot be opened.
    func missFile() { hasFailure = true }

    /// The head of the table, before its first row.
    func takeTableHead() -> String {
        defer { hasHead = true }
        return hasHead ? "" : Loudness.tableHead
    }

    /// Measures the album, and writes the tags of its files.
    ///
    /// - Returns: The album's loudness; nil if no file was measured.
    func endAlbum() -> Loudness? {
        guard !files.isEmpty else { return nil }
        do throws(LoudnessMeter.Failure) {
            let album = try LoudnessMeter.measure(files.map(\.meter))
            guard options.writesTags else { return album }
            if hasFailure {
                surroundings.complain("no tags were written, because not all files could be measured")
                return album
            }
            for file in files { write(file.loudness, album: album, to: file.path) }
            return album
        } catch {
            fail(error.message)
            return nil
        }
    }

    /// The worse of a status and that of the measurements so far.
    func status(_ status: ExitStatus) -> ExitStatus { hasFailure ? .failure : status }

    private func write(_ loudness: Loudness, album: Loudness?, to path: FilePath) {
        let gain = ReplayGain(
            track: loudness.replayGain ?? .init(), album: album?.replayGain ?? .init())
        guard !gain.isEmpty else {
            return fail("cannot write tags to '\(path)': it is silent or shorter than 0.4 s")
        }
        // Interrupted after the file, not within it, so that no incomplete copy remains.
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.unblock() }
        do throws(AudioFileError) {
            try gain.write(toFile: path)
        } catch {
            fail(error.message)
        }
    }

    private func fail(_ message: String) {
        hasFailure = true
        surroundings.complain(message)
    }
}

/// Signals that this thread receives only after ``unblock()``.
private struct BlockedSignals {
    private var earlier = sigset_t()

    init(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, &earlier)
    }

    func unblock() {
        var set = earlier
        unsafe pthread_sigmask(SIG_SETMASK, &set, nil)
    }
}
