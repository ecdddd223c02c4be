// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

/// The memory of a client, which is overwritten at each request and lasts until the next.
@safe private final class ClientMemory {
    // SAFETY: allocated here, freed by deinit.
    @unsafe let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8192)

    deinit { unsafe floats.deallocate() }
}

/// Pieces that are offered once each, between all pairs of usual sample rates. AQ_LONG=1 tests all sizes of pieces.
@Suite("Conversion of pieces")
struct PieceConversionTests {
    /// The limits of the noise, in decibels.
    static let noise: [RateQuality: Double] = [
        .minimum: -90, .low: -95, .medium: -105, .high: -120, .maximum: -130,
    ]

    /// Offers each piece once, and gives the end after the last one.
    static func convert(
        _ pieces: TonePieces, with converter: AudioConverter, endsStream: Bool = true
    ) throws -> TonePieces.Result {
        var result = TonePieces.Result()
        let memory = ClientMemory()
        for index in 0..<pieces.pieces {
            var piece: [Float]? = pieces.piece(index)
            result.samples += try output(of: converter, frames: pieces.roomFrames, from: memory) {
                defer { piece = nil }
                return piece
            }
            if piece != nil { result.refused += 1 }
            result.totals.append(result.samples.count)
        }
        guard endsStream else { return result }
        while true {
            let rest = try output(of: converter, frames: 4096, endsStream: true, from: memory) { nil }
            if rest.isEmpty { break }
            result.samples += rest
        }
        result.isFinished = true
        return result
    }

    private static func output(
        of converter: AudioConverter, frames: Int, endsStream: Bool = false, from memory: ClientMemory,
        _ next: () -> [Float]?
    ) throws -> [Float] {
        var room = [Float](repeating: .nan, count: frames)
        let memory = unsafe memory.floats
        let filled = try unsafe room.withUnsafeMutableBytes { room in
            try unsafe converter.fill(room, maximumPackets: frames) { _ in
                unsafe memory.initialize(repeating: .nan)
                guard let piece = next() else { return unsafe endsStream ? .endOfStream : .noDataNow }
                _ = unsafe memory.update(from: piece)
                return unsafe .packets(
                    UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(memory)), descriptions: nil,
                    packetCount: piece.count)
            }
        }
        return Array(room.prefix(filled.packets))
    }

    private static func converter(_ pieces: TonePieces, _ quality: RateQuality) throws -> AudioConverter {
        let converter = try AudioConverter(
            from: .float(channels: 1, sampleRate: pieces.inputRate),
            to: .float(channels: 1, sampleRate: pieces.outputRate))
        converter.rateQuality = quality
        return converter
    }

    @Test("every piece is taken, and its frames are returned after a constant delay")
    func table() throws {
        var faults: [String] = []
        for (index, pieces) in TonePieces.table(isWhole: Environment.isLong).enumerated() {
            let qualities = RateQuality.allCases
            for quality in Environment.isLong ? qualities : [qualities[index % qualities.count]] {
                let converter = try Self.converter(pieces, quality)
                let result = try Self.convert(pieces, with: converter)
                faults += pieces.faults(
                    result, delay: converter.rateDelayFrames, noise: Self.noise[quality] ?? 0)
            }
        }
        expectEqual(faults, [])
    }

    @Test("512 frames at 48 kHz become 170 or 171 each time")
    func steady() throws {
        let pieces = TonePieces(from: 48_000, to: 16_000, pieceFrames: 512, frames: 512 * 200)
        let result = try Self.convert(pieces, with: Self.converter(pieces, .high), endsStream: false)
        let differences = zip(result.totals.dropFirst(), result.totals).map { $0 - $1 }
        expectEqual(Set(differences), [170, 171])
        expectEqual(result.refused, 0)
        // 6 ms of the filter.
        expectEqual(result.totals.last, 34_038)
    }

    @Test("with a latency there are as many frames after each piece as in the piece, and the tone is late")
    func latency() throws {
        let pieces = TonePieces(from: 48_000, to: 16_000, pieceFrames: 480, frames: 48_000)
        let converter = try Self.converter(pieces, .high)
        converter.hasRateLatency = true
        let result = try Self.convert(pieces, with: converter)
        expectEqual(result.totals, (1...100).map { $0 * 160 })
        let delay = converter.rateDelayFrames / 3
        expectEqual(result.samples.count, 16_000 + delay)
        var prompt = result
        prompt.samples.removeFirst(delay)
        prompt.totals = prompt.totals.map { max(0, $0 - delay) }
        expectEqual(pieces.faults(prompt, delay: converter.rateDelayFrames, noise: -120), [])
    }

    @Test("pieces are taken although frames of earlier ones fill the output", arguments: [48_000.0, 16_000])
    func backlog(outputRate: Double) throws {
        let pieces = TonePieces(from: 48_000, to: outputRate, pieceFrames: 480, frames: 48_000)
        let converter = try Self.converter(pieces, .high)
        let room = Int(480 * outputRate / 48_000)
        let memory = ClientMemory()
        var samples: [Float] = []
        var refused = 0
        for index in 0..<pieces.pieces {
            var piece: [Float]? = pieces.piece(index)
            // One of four outputs has room for five pieces, the others for a part of one. The first one shows that there
            // may be nothing.
            let frames = index % 4 == 0 ? 5 * room : room / 3
            samples += try Self.output(of: converter, frames: frames, from: memory) {
                defer { piece = nil }
                return piece
            }
            if piece != nil { refused += 1 }
        }
        expectEqual(refused, 0)
        while true {
            let rest = try Self.output(of: converter, frames: 100, endsStream: true, from: memory) { nil }
            if rest.isEmpty { break }
            samples += rest
        }
        let whole = try Self.convert(pieces, with: Self.converter(pieces, .high))
        let isSame = samples == whole.samples
        #expect(isSame)
    }

    @Test(
        "all that a caller has in its first output is taken before it has nothing",
        arguments: [8000.0, 16_000, 48_000, 96_000], [1, 5, 100])
    func first(outputRate: Double, piecesOfRoom: Int) throws {
        let pieces = TonePieces(from: 44_100, to: outputRate, pieceFrames: 441, frames: 44_100)
        let room = pieces.roomFrames * piecesOfRoom
        let converter = try Self.converter(pieces, .high)
        let memory = ClientMemory()
        var waiting = (0..<30).map { pieces.piece($0) }
        var samples: [Float] = []
        // Outputs until the first pieces are used, and then one after each piece.
        var next = 30
        repeat {
            samples += try Self.output(of: converter, frames: room, from: memory) {
                waiting.isEmpty ? nil : waiting.removeFirst()
            }
        } while !waiting.isEmpty
        while next < pieces.pieces {
            waiting = [pieces.piece(next)]
            samples += try Self.output(of: converter, frames: room, from: memory) {
                waiting.isEmpty ? nil : waiting.removeFirst()
            }
            let isTaken = waiting.isEmpty
            #expect(isTaken)
            next += 1
        }
        while true {
            let rest = try Self.output(of: converter, frames: 4096, endsStream: true, from: memory) { nil }
            if rest.isEmpty { break }
            samples += rest
        }
        let whole = try Self.convert(pieces, with: Self.converter(pieces, .high))
        let isSame = samples == whole.samples
        #expect(isSame)
    }

    @Test("a caller that always has data is not asked before its frames are used")
    func pulled() throws {
        let converter = try AudioConverter(
            from: .float(channels: 1, sampleRate: 16_000), to: .float(channels: 1, sampleRate: 48_000))
        let memory = ClientMemory()
        var requests: [Int] = []
        for _ in 0..<30 {
            var asked = 0
            _ = try Self.output(of: converter, frames: 512, from: memory) {
                asked += 1
                return [Float](repeating: 0, count: 512)
            }
            requests.append(asked)
        }
        #expect(requests.reduce(0, +) <= 11)
    }
}
