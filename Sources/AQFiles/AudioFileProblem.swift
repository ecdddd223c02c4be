// SPDX-License-Identifier: MIT

/// A problem found in a file, and its consequence for the audio.
public struct AudioFileProblem: Sendable, Equatable {
    /// The consequence of a problem for the audio.
    public enum Grade: UInt8, Sendable {
        /// All audio of the file is read.
        case oddity
        /// Audio is, or may be, missing, replaced or left out.
        case damage
    }

    /// The consequence for the audio.
    public var grade: Grade
    /// One line with the reason and, if known, the offset: lower case, no full stop.
    public var message: String

    /// Makes a problem from a grade and a line in the style of ``message``.
    public init(_ grade: Grade, _ message: String) {
        self.grade = grade
        self.message = message
    }
}

/// The problems found in a file. Their number is limited, so that a damaged file cannot fill memory with lines.
struct WarningList {
    private(set) var problems: [AudioFileProblem] = []
    private var droppedCount = 0
    private var droppedGrade = AudioFileProblem.Grade.oddity

    /// Adds a problem, which is damage unless the caller knows that it does not affect the audio.
    mutating func append(_ message: String, grade: AudioFileProblem.Grade = .damage) {
        append(AudioFileProblem(grade, message))
    }

    mutating func append(_ problem: AudioFileProblem) {
        if problems.count < Self.mostLines { return problems.append(problem) }
        droppedCount += 1
        if problem.grade == .damage { droppedGrade = .damage }
    }

    var all: [AudioFileProblem] {
        guard droppedCount > 0 else { return problems }
        let words = droppedGrade == .damage ? "further damaged parts" : "further unusual parts"
        return problems + [AudioFileProblem(droppedGrade, "\(droppedCount) \(words)")]
    }

    /// The messages of ``all``.
    var lines: [String] { all.map(\.message) }

    private static let mostLines = 32
}
