// SPDX-License-Identifier: MIT

/// The comment "iTunSMPB", which states in frames the trims that edit lists state as times.
struct MP4GaplessNote: Equatable {
    var primingFrames: Int64
    var remainderFrames: Int64
    var validFrames: Int64

    init(primingFrames: Int64, remainderFrames: Int64, validFrames: Int64) {
        self.primingFrames = primingFrames
        self.remainderFrames = remainderFrames
        self.validFrames = validFrames
    }

    /// The comment, with the zeros that iTunes appends.
    var text: String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return " " + String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
        }
        return digits(0, 8) + digits(primingFrames, 8) + digits(remainderFrames, 8) + digits(validFrames, 16)
            + String(repeating: digits(0, 8), count: 8)
    }

    /// Reads the hexadecimal numbers 0, priming, remainder and valid frames; ignores later numbers.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").prefix(4).map { UInt64($0, radix: 16) }
        guard numbers.count == 4, let priming = numbers[1], let remainder = numbers[2],
            let valid = numbers[3],
            priming < 1 << 20, remainder < 1 << 20, valid < 1 << 50, valid > 0
        else { return nil }
        (primingFrames, remainderFrames) = (Int64(priming), Int64(remainder))
        validFrames = Int64(valid)
    }

    /// The note for a track of `total` frames; nil if the note describes other audio.
    ///
    /// The note may count frames of the HE-AAC core, which are half as many.
    func scaled(to total: Int64, within tolerance: Int64) -> MP4GaplessNote? {
        let sum = primingFrames + validFrames + remainderFrames
        if abs(sum - total) <= tolerance { return self }
        guard abs(2 * sum - total) <= tolerance else { return nil }
        var double = self
        double.primingFrames *= 2
        double.remainderFrames *= 2
        double.validFrames *= 2
        return double
    }
}
