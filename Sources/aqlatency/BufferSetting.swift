// SPDX-License-Identifier: MIT

/// The number of a queue's buffers, and the number of frames in each.
struct BufferSetting: Equatable, Sendable, CustomStringConvertible {
    var buffers: Int
    var frames: Int

    /// The settings that are tried by default, the smallest first.
    static let usual = [24, 48, 96, 192, 480, 960].map { BufferSetting(buffers: 3, frames: $0) }

    init(buffers: Int, frames: Int) {
        self.buffers = buffers
        self.frames = frames
    }

    /// Reads a text such as "3x96".
    init?(text: some StringProtocol) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let buffers = Int(parts[0]), let frames = Int(parts[1]),
            (2...16).contains(buffers), (16...48_000).contains(frames)
        else { return nil }
        self.init(buffers: buffers, frames: frames)
    }

    /// A text such as "3x96", as options accept it.
    var description: String { "\(buffers)x\(frames)" }

    /// The frames of all buffers together.
    var totalFrames: Int { buffers * frames }

    /// The duration of all buffers together.
    func milliseconds(sampleRate: Double) -> Double { Double(totalFrames) * 1000 / sampleRate }
}
