// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import AQTestSupport

/// Encodes audio and decodes it again, with our tools and with others.
struct RoundTrip {
    /// One 16-bit step: most decoders of the same packets differ by no more.
    static let step = 1.0 / 32768

    let encoding: Encoding
    let layout: SoundLayout
    let folder: ScratchFolder
    let source: Sound
    private var outcome: Outcome

    var encoded: String { folder.file("encoded.\(encoding.container)") }
    private var wave: String { folder.file("source.wav") }

    init(_ encoding: Encoding, _ layout: SoundLayout) throws {
        self.encoding = encoding
        self.layout = layout
        folder = ScratchFolder()
        source = MusicStore.shared.music(layout).kept(as: encoding.source)
        outcome = Outcome(layout: layout)
    }

    /// Runs all checks, and returns the outcome with the failures.
    static func run(_ encoding: Encoding, _ layout: SoundLayout) -> Outcome {
        do {
            var trip = try RoundTrip(encoding, layout)
            var outcome = trip.run()
            outcome.sortFailures(of: encoding)
            return outcome
        } catch {
            return Outcome(layout: layout, failures: ["\(error)"])
        }
    }

    private mutating func run() -> Outcome {
        do {
            try source.writeWave(toPath: wave, as: encoding.source)
            if try encode() {
                let facts = try inspect()
                let decodedHere = try decodeHere(facts)
                let decoded = try decodeThere(facts, asHere: decodedHere)
                try compareWithPeer(decoded)
                attempt("ffprobe") { trip in try trip.probe(facts) }
                for reader in encoding.readers {
                    attempt(reader.rawValue) { trip in try trip.read(with: reader) }
                }
            }
        } catch {
            outcome.failures.append("\(error)")
        }
        return outcome
    }

    /// Counts a reader, unless it could not read the file or reports wrong facts.
    private mutating func attempt(_ reader: String, _ action: (inout RoundTrip) throws -> Void) {
        let failures = outcome.failures.count
        do { try action(&self) } catch { outcome.failures.append("\(reader): \(error)") }
        if outcome.failures.count == failures { outcome.readers.insert(reader) }
    }

    mutating func expect(_ condition: Bool, _ message: String) {
        if !condition { outcome.failures.append(message) }
    }

    /// False if the audio was refused.
    private mutating func encode() throws -> Bool {
        let bitRate = encoding.kilobitsPerSecond(layout).map { ["-b", "\($0)"] } ?? []
        let result = try Tools.run(
            "aqconvert",
            ["--quiet", "-d", encoding.data(layout), "-f", encoding.container] + bitRate + [wave, encoded])
        if encoding.refuses(layout) {
            outcome.isRefused = true
            expect(result.exitStatus == 1, "not refused: status \(result.exitStatus)")
            // By name: the feature that the codec lacks, or that there is no codec.
            let names =
                ["not \(layout.sampleRate) Hz", "\(layout.sampleRate).0 Hz", "built without"]
                + ["not \(layout.channels)", " \(layout.channels) channels"]
            let isNamed = names.contains { result.standardError.contains($0) }
            expect(
                isNamed && result.standardError.hasPrefix("aqconvert: cannot "),
                "refused with '\(result.errorLine)'")
            expect(!FileManager.default.fileExists(atPath: encoded), "a file is left of what was refused")
            return false
        }
        guard result.exitStatus == 0 else {
            throw InterchangeError("not encoded: \(result.errorLine)")
        }
        expect(result.standardError.isEmpty, "encoding complained: \(result.errorLine)")
        return true
    }

    private mutating func inspect() throws -> FileFacts {
        let text = try Tools.output("aqinfo", ["--json", encoded])
        let facts = try JSONDecoder().decode(FileFacts.self, from: Data(text.utf8))
        expect(facts.warnings.isEmpty, "aqinfo warns: \(facts.warnings)")
        expect(facts.format.channels == layout.channels, "aqinfo says \(facts.format.channels) channels")
        expect(
            facts.format.sampleRate == Double(layout.sampleRate), "aqinfo says \(facts.format.sampleRate) Hz")
        if encoding.tellsTrims {
            expect(facts.frames == source.frames, "aqinfo says \(facts.frames) of \(source.frames) frames")
        }
        return facts
    }

    /// The frames of a reader that trims only as `extent` states.
    func frames(_ facts: FileFacts, _ extent: Encoding.Extent) -> Int {
        guard encoding.tellsTrims else { return facts.frames }
        return switch extent {
        case .valid, .unknown: source.frames
        case .toPacketEnd: source.frames + facts.remainderFrames
        case .whole: facts.primingFrames + source.frames + facts.remainderFrames
        }
    }

    /// Decodes with our own tool.
    private mutating func decodeHere(_ facts: FileFacts) throws -> Sound {
        let path = folder.file("decoded.wav")
        _ = try Tools.output("aqconvert", ["--quiet", "-d", "F64", encoded, path])
        let decoded = try Sound(wavePath: path)
        let expected = frames(facts, .valid)
        outcome.hasExactFrames = decoded.frames == expected
        expect(outcome.hasExactFrames, "aqconvert decodes \(decoded.frames) of \(expected) frames")
        outcome.isExactHere = decoded.isSame(as: source)
        expect(!encoding.isLossless || outcome.isExactHere, "aqconvert decodes other samples")
        return decoded
    }

    /// Decodes with ffmpeg, and trims the frames that it does not.
    private mutating func decodeThere(_ facts: FileFacts, asHere decodedHere: Sound) throws -> Sound {
        var decoded = try Tools.decodeWithFFmpeg(encoded, layout)
        outcome.readers.insert("ffmpeg")
        let expected = frames(facts, encoding.decodedExtent)
        expect(decoded.frames == expected, "ffmpeg decodes \(decoded.frames) of \(expected) frames")
        guard !encoding.isLossless else {
            outcome.isExactThere = decoded.isSame(as: source)
            expect(outcome.isExactThere, "ffmpeg decodes other samples")
            return decoded
        }
        let priming = encoding.tellsTrims && encoding.decodedExtent == .whole ? facts.primingFrames : 0
        decoded = decoded.cut(from: priming, frames: decodedHere.frames)
        let difference = decodedHere.largestDifference(from: decoded)
        expect(
            difference <= encoding.decoderSteps * Self.step,
            "aqconvert and ffmpeg decode samples \(difference) apart")
        return decoded
    }

    private mutating func compareWithPeer(_ decoded: Sound) throws {
        guard case .some(let peer) = encoding.loss else { return }
        let lag = encoding.tellsTrims ? 0 : decoded.lag(behind: source, limit: 2400)
        let played = decoded.cut(from: lag, frames: source.frames)
        expect(played.frames == source.frames, "of \(source.frames) frames \(played.frames) are left")
        let likenesses = played.likenesses(to: source)
        expect(likenesses == Array(0..<layout.channels), "channels come back as \(likenesses)")
        let ours = played.signalToNoise(against: source)
        let theirs = try PeerResults.shared.signalToNoise(
            of: peer, kilobitsPerSecond: encoding.kilobitsPerSecond(layout), source: source, wave: wave,
            folder: folder)
        (outcome.signalToNoise, outcome.peerSignalToNoise) = (ours, theirs)
        expect(
            ours >= theirs - encoding.allowance,
            "loss at \(decimal(ours)) dB below the sound, the peer's at \(decimal(theirs)) dB")
    }
}
