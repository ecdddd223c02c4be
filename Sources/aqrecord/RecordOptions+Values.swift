// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// Parsing the values of options.
extension RecordOptions {
    /// 2^53: some thousand years, and exact as a `Double`.
    static let mostFrames = 1 << 53

    static func onlyTarget(_ targets: [RecordingTarget]) throws(UsageError) -> RecordingTarget {
        guard let target = targets.first else {
            throw UsageError(
                "nothing to record into; name a file such as out.wav, or '-' for standard output")
        }
        guard targets.count == 1 else {
            throw UsageError("only one file can be recorded, not \(target.name) and \(targets[1].name)")
        }
        guard target.path != "" else { throw UsageError("the file to be recorded needs a name") }
        return target
    }

    static func onlySource(_ sources: [SourceChoice]) throws(UsageError) -> SourceChoice? {
        guard sources.count <= 1 else { throw UsageError("choose one of '--device' and '--monitor', once") }
        return sources.first
    }

    static func bits(_ text: String) throws(UsageError) -> Int {
        guard let bits = Int(text), [8, 16, 24, 32].contains(bits) else {
            throw UsageError("invalid number '\(text)' for '--bits'; write 8, 16, 24 or 32")
        }
        return bits
    }

    static func codec(_ text: String) throws(UsageError) -> RecordingCodec {
        guard let codec = RecordingCodec(rawValue: text.lowercased()) else {
            let names = RecordingCodec.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown codec '\(text)' for '--codec'; write one of \(names)")
        }
        return codec
    }

    /// Returns the bits per second for a text in kilobits per second, with or without a `k`.
    static func bitRate(_ text: String, _ name: String) throws(UsageError) -> Int {
        let digits = text.last == "k" ? String(text.dropLast()) : text
        guard let kilobits = DecimalParser.integer(digits, in: 8...640) else {
            throw UsageError("invalid bit rate '\(text)' for '\(name)'; write 8 to 640, in kbit/s")
        }
        return kilobits * 1000
    }

    /// Returns the linear level for a text in decibels relative to full scale.
    static func level(_ text: String, _ name: String) throws(UsageError) -> Float {
        GainParser.gain(decibels: try GainParser.decibels(text, option: name, in: -120...0))
    }

    static func silence(_ text: String, _ name: String) throws(UsageError) -> Silence {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw UsageError("invalid value '\(text)' for '\(name)'; write LEVEL:TIME, such as -50dB:3")
        }
        let level = try level(String(parts[0]), name)
        return Silence(
            level: level,
            seconds: try TimeParser.seconds(String(parts[1]), option: name, in: 0.001...86_400, example: "3"))
    }

    static func split(_ text: String) throws(UsageError) -> Split {
        if let bytes = ByteCountParser.byteCount(text) {
            guard bytes >= 65_536 else {
                throw UsageError("'--split \(text)' is too small; write 64K or more")
            }
            return .bytes(bytes)
        }
        let seconds: Double
        do throws(UsageError) {
            seconds = try TimeParser.seconds(text, option: "--split")
        } catch {
            throw UsageError(
                "invalid value '\(text)' for '--split'; write a time such as 30, 10min or 1:00:00, or a size "
                    + "such as 700M or 4GB")
        }
        guard seconds >= 0.1 else { throw UsageError("'--split \(text)' is too short; write 100ms or more") }
        return .seconds(seconds)
    }
}
