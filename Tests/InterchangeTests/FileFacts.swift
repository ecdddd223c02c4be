// SPDX-License-Identifier: MIT

/// The facts that aqinfo reports of a file.
struct FileFacts: Decodable {
    struct Format: Decodable {
        var channels: Int
        var sampleRate: Double
    }

    var format: Format
    var frames: Int
    var primingFrames: Int
    var remainderFrames: Int
    var warnings: [String]
}
