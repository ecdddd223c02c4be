// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import Testing

@Suite("Files that mixers play")
struct MixedFilesTests {
    private static let number = 32
    private let bank = SineBank(
        streams: Array(0..<number), amplitude: 0.25 / Double(number), sampleRate: 48000, firstHertz: 500,
        stepHertz: 40)

    /// Plays the files but those of `absent` twice, one after the other, and mixes them.
    private func mix(absent: Set<Int> = []) throws -> [Float] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mix-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try MixedFiles.write(Self.number, seconds: 1, sampleRate: 48000, to: folder)
        var mix = [Float](repeating: 0, count: 96000)
        for file in 0..<Self.number where !absent.contains(file) {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file).wav")))
            let (samples, sampleRate) = try WaveReader.read(bytes)
            try #require(samples.count == 48000 && sampleRate == 48000)
            for index in mix.indices { mix[index] += samples[index % samples.count] }
        }
        return mix
    }

    @Test("a mix of files that are played again has every sine, and no gap")
    func whole() throws {
        #expect(bank.departures(in: try mix(), range: 0..<96000) == SineBank.Departures())
    }

    @Test("a file that is not in the mix is missed")
    func absent() throws {
        let found = try #require(bank.departures(in: try mix(absent: [5]), range: 0..<96000))
        #expect(found == SineBank.Departures(spans: 0, streams: 0, inaudible: 1))
    }
}
