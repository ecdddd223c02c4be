// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import CoreAudioTypes
import AQSoundHarness
import Testing

/// The file of a recorder, read by this project's reader and by other programs.
struct RecordedFile {
    let path: String
    let format: AudioStreamBasicDescription
    /// All samples; those that 16 bits cannot represent become NaN, which equals nothing.
    let sound: Recording
    let warnings: [String]

    var frames: Int { sound.frames }

    /// - Throws: If the file cannot be read, or has fewer frames than it promises.
    init(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        self.path = path
        let file = try AudioFile.open(path: path)
        format = file.format
        let bytesPerFrame = Int(format.mBytesPerFrame)
        try #require(format.isLinearPCM && bytesPerFrame > 0, sourceLocation: sourceLocation)
        let promised = try #require(file.frameCount, sourceLocation: sourceLocation)
        var bytes = [UInt8](repeating: 0, count: Int(promised) * bytesPerFrame)
        var read = 0
        while read < bytes.count {
            let piece = try unsafe bytes.withUnsafeMutableBytes { bytes in
                try unsafe file.readPackets(
                    from: Int64(read / bytesPerFrame), into: .init(rebasing: bytes[read...]),
                    descriptions: .init(start: nil, count: 0))
            }
            try #require(
                piece.bytes > 0, "\(path) holds \(read / bytesPerFrame) frames and promises \(promised)",
                sourceLocation: sourceLocation)
            read += piece.bytes
        }
        warnings = file.warnings
        sound = Recording(
            sampleRate: Int(format.mSampleRate), channels: Int(format.mChannelsPerFrame),
            samples: Self.samples(bytes, format))
    }

    private static func samples(_ bytes: [UInt8], _ format: AudioStreamBasicDescription) -> [Float] {
        let width = Int(format.mBitsPerChannel) / 8
        let order = format.isBigEndian ? Array(0..<width) : Array((0..<width).reversed())
        return stride(from: 0, to: bytes.count - bytes.count % width, by: width).map { start in
            var bits: UInt32 = 0
            for place in order { bits = bits << 8 | UInt32(bytes[start + place]) }
            if format.isFloat { return Float(bitPattern: bits) }
            let sample = Int32(bitPattern: bits << UInt32(32 - 8 * width))
            return sample & 0xFFFF == 0 ? Float(sample >> 16) / 32768 : .nan
        }
    }

    /// Expects that libsndfile, sox and FFmpeg, if installed, read as many frames.
    ///
    /// - Parameter uncountedFrames: The most frames after those that the header counts. This project's reader may warn
    ///   of them, and FFmpeg, which ignores the count, may read them.
    func expectReadable(
        uncountedFrames: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(uncountedFrames > 0 || warnings.isEmpty, "\(warnings)", sourceLocation: sourceLocation)
        for reader in Reader.allCases where ToolPaths.isInPath(reader.rawValue) {
            let count = try reader.frames(of: path) ?? -1
            let most = reader == .ffmpeg ? frames + uncountedFrames : frames
            #expect(
                count >= frames && count <= most, "\(reader.rawValue) reads \(path)",
                sourceLocation: sourceLocation)
        }
    }

    /// A program that reports the number of a file's frames.
    private enum Reader: String, CaseIterable {
        case libsndfile = "sndfile-info"
        case sox = "soxi"
        case ffmpeg = "ffprobe"

        /// Its output; nil if it refuses the file, or reports an error.
        func frames(of path: String) throws -> Int? {
            let options =
                switch self {
                case .libsndfile: [path]
                case .sox: ["-s", path]
                case .ffmpeg:
                    ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path]
                }
            let result = try ChildProcess.run(rawValue, options)
            guard result.exitStatus == 0, self == .libsndfile || result.standardError == "" else {
                return nil
            }
            guard self == .libsndfile else { return Int(result.standardOutput.filter { !$0.isWhitespace }) }
            // Two lines of a CAF begin this way; "Frames / packet" is another value.
            let lines = result.standardOutput.split(separator: "\n").map { $0.split(separator: " ") }
            let line = lines.last { $0.count == 3 && $0[0] == "Frames" && $0[1] == ":" }
            return line.flatMap { Int($0[2]) }
        }
    }
}

extension Recording {
    /// Expects the virtual source's sequence from its first frame on, without a gap.
    func expectSequence(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let wrong = samples.indices.first { index in
            let expected = SequenceContent.sample(frame: Int64(index / channels), channel: index % channels)
            return samples[index] != Float(expected) / 32768
        }
        #expect(
            wrong == nil, "\(path) is wrong from frame \((wrong ?? 0) / channels) on",
            sourceLocation: sourceLocation)
    }
}
