// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  WaveformReader.swift
//
//  Reads what a view draws of a sound file: the lowest and the highest sample of each column. Files are read in chunks,
//  several at a time, so that hours of sound take no memory.
//
//      WaveformReader columns file...
//
import AVFoundation

/// The samples of a column.
struct Peak: Sendable, Equatable {
    var lowest: Float = .infinity
    var highest: Float = -.infinity
    var sumOfSquares: Double = 0
    var count = 0

    var isEmpty: Bool { count == 0 }
    var rootMeanSquare: Double { isEmpty ? 0 : (sumOfSquares / Double(count)).squareRoot() }

    mutating func add(_ sample: Float) {
        lowest = min(lowest, sample)
        highest = max(highest, sample)
        sumOfSquares += Double(sample) * Double(sample)
        count += 1
    }
}

struct Waveform: Sendable {
    let name: String
    let duration: TimeInterval
    let frames: AVAudioFramePosition
    let peaks: [Peak]

    /// The peaks from 0 to 1, for drawing.
    var normalized: [Float] {
        let loudest = peaks.lazy.filter { !$0.isEmpty }.map { max(-$0.lowest, $0.highest) }.max() ?? 0
        guard loudest > 0 else { return peaks.map { _ in 0 } }
        return peaks.map { $0.isEmpty ? 0 : max(-$0.lowest, $0.highest) / loudest }
    }

    /// One line of a picture of a few lines.
    func picture(height: Int) -> [String] {
        let levels = normalized
        return (0..<height).map { row in
            let limit = Float(height - row) / Float(height)
            return String(levels.map { $0 > limit - 1 / Float(height) / 2 ? "#" : " " })
        }
    }
}

enum WaveformError: LocalizedError {
    case noColumns, empty(String), noMemory

    var errorDescription: String? {
        switch self {
        case .noColumns: "there are no columns"
        case .empty(let name): "\(name) is empty"
        case .noMemory: "there is no memory"
        }
    }
}

struct WaveformReader: Sendable {
    var columns: Int
    var chunkFrames: AVAudioFrameCount = 16384

    func read(_ url: URL) throws -> Waveform {
        guard columns > 0 else { throw WaveformError.noColumns }
        let file = try AVAudioFile(forReading: url)
        guard file.length > 0 else { throw WaveformError.empty(url.lastPathComponent) }
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: chunkFrames) else {
            throw WaveformError.noMemory
        }
        var peaks = [Peak](repeating: Peak(), count: columns)
        var position: AVAudioFramePosition = 0
        while file.framePosition < file.length {
            try Task.checkCancellation()
            try file.read(into: buffer)
            if buffer.frameLength == 0 { break }
            add(buffer, at: position, of: file.length, to: &peaks)
            position += AVAudioFramePosition(buffer.frameLength)
        }
        return Waveform(
            name: url.lastPathComponent, duration: Double(position) / file.processingFormat.sampleRate, frames: position,
            peaks: peaks)
    }

    private func add(
        _ buffer: AVAudioPCMBuffer, at position: AVAudioFramePosition, of length: AVAudioFramePosition,
        to peaks: inout [Peak]
    ) {
        guard let channels = buffer.floatChannelData else { return }
        let channelCount = Int(buffer.format.channelCount)
        for frame in 0..<Int(buffer.frameLength) {
            let column = Int((position + AVAudioFramePosition(frame)) * AVAudioFramePosition(columns) / length)
            // The mean of the channels, as editors show a file in one lane.
            var sample: Float = 0
            for channel in 0..<channelCount { sample += channels[channel][frame * buffer.stride] }
            peaks[min(column, columns - 1)].add(sample / Float(channelCount))
        }
    }

    /// Reads files side by side, and returns their waveforms in the order of the files.
    func read(_ urls: [URL]) async -> [Result<Waveform, any Error>] {
        await withTaskGroup(of: (Int, Result<Waveform, any Error>).self) { group in
            for (index, url) in urls.enumerated() {
                group.addTask { (index, Result { try self.read(url) }) }
            }
            var results = [Int: Result<Waveform, any Error>]()
            for await (index, result) in group { results[index] = result }
            return urls.indices.compactMap { results[$0] }
        }
    }
}

@main
struct Program {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let columns = Int(arguments[1]) else {
            print("usage: WaveformReader COLUMNS FILE...")
            exit(64)
        }
        var failures = 0
        let urls = arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }
        for result in await WaveformReader(columns: columns).read(urls) {
            switch result {
            case .success(let waveform):
                print("\(waveform.name): \(waveform.frames) frames, \(waveform.duration) s")
                for peak in waveform.peaks {
                    print(String(format: "%.5f %.5f %.3f", peak.lowest, peak.highest, peak.rootMeanSquare))
                }
                for line in waveform.picture(height: 4) { print("[\(line)]") }
            case .failure(let error):
                print("error: \((error as NSError).domain) \((error as NSError).code)")
                failures += 1
            }
        }
        exit(failures == 0 ? 0 : 1)
    }
}
