// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Channel mixing")
struct ChannelMatrixTests {
    private static let half: Float = 0.707_106_77

    private static func labels(_ tag: AudioChannelLayoutTag) -> [AudioChannelLabel] {
        ChannelLayoutTags.labels(of: tag) ?? []
    }

    private static func matrix(
        _ from: AudioChannelLayoutTag, _ to: AudioChannelLayoutTag
    ) throws -> ChannelMatrix {
        try #require(ChannelMatrix(from: labels(from), to: labels(to)))
    }

    /// Rows are those of the published matrix, except for rounding.
    private static func expect(_ matrix: ChannelMatrix, _ rows: [[Float]]) {
        let gains = rows.flatMap { $0 }
        expectEqual(matrix.gains.count, gains.count)
        for (gain, expected) in zip(matrix.gains, gains) {
            #expect(abs(gain - expected) < 1e-6, "\(matrix.gains)")
        }
    }

    @Test("stereo and mono")
    func stereo() throws {
        let (mono, stereo) = (kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo)
        Self.expect(try Self.matrix(mono, stereo), [[1, 1]])
        Self.expect(try Self.matrix(stereo, mono), [[0.5], [0.5]])
    }

    @Test("5.1 is mixed to stereo by ITU-R BS.775, scaled so that nothing clips")
    func surroundToStereo() throws {
        let scale = 1 / (1 + 2 * Self.half)
        let (one, down) = (scale, scale * Self.half)
        Self.expect(
            try Self.matrix(kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Stereo),
            [[one, 0], [0, one], [down, down], [0, 0], [down, 0], [0, down]])
        // The same in another order, and with the surrounds called rear.
        Self.expect(
            try Self.matrix(kAudioChannelLayoutTag_MPEG_5_1_D, kAudioChannelLayoutTag_Stereo),
            [[down, down], [one, 0], [0, one], [down, 0], [0, down], [0, 0]])
        Self.expect(
            try Self.matrix(kAudioChannelLayoutTag_WAVE_5_1_B, kAudioChannelLayoutTag_Stereo),
            [[one, 0], [0, one], [down, down], [0, 0], [down, 0], [0, down]])
    }

    @Test("5.1 is mixed to mono with the loudest centre and the softest surrounds")
    func surroundToMono() throws {
        let scale = 1 / (2 * Self.half + 1 + 1)
        let matrix = try Self.matrix(kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Mono)
        let rows: [[Float]] = [
            [Self.half * scale], [Self.half * scale], [scale], [0], [0.5 * scale], [0.5 * scale],
        ]
        Self.expect(matrix, rows)
    }

    @Test("channels are found by name when both layouts have them")
    func reordered() throws {
        let matrix = try Self.matrix(kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_5_1_D)
        expectEqual(matrix.map, [2, 0, 1, 4, 5, 3])
        let same = try Self.matrix(kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_WAVE_5_1_B)
        #expect(same.isIdentity)
        let wider = try Self.matrix(kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_5_1_A)
        expectEqual(wider.map, [0, 1, -1, -1, -1, -1])
        let centre = try Self.matrix(kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_MPEG_5_1_A)
        expectEqual(centre.map, [-1, -1, 0, -1, -1, -1])
        let sides = try Self.matrix(kAudioChannelLayoutTag_WAVE_5_1_B, kAudioChannelLayoutTag_WAVE_7_1)
        expectEqual(sides.map, [0, 1, 2, 3, 4, 5, -1, -1])
    }

    @Test("no mix of named layouts lets an output exceed full scale, and only LFE is dropped")
    func bounded() throws {
        let tags = [
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
            kAudioChannelLayoutTag_MPEG_3_0_A, kAudioChannelLayoutTag_MPEG_4_0_A,
            kAudioChannelLayoutTag_MPEG_5_0_A, kAudioChannelLayoutTag_MPEG_5_1_A,
            kAudioChannelLayoutTag_MPEG_6_1_A, kAudioChannelLayoutTag_MPEG_7_1_A,
            kAudioChannelLayoutTag_WAVE_7_1, kAudioChannelLayoutTag_Octagonal,
            kAudioChannelLayoutTag_Atmos_7_1_4, kAudioChannelLayoutTag_DVD_4,
        ]
        for from in tags {
            for to in tags {
                let matrix = try Self.matrix(from, to)
                for output in 0..<matrix.outputs {
                    let sum = (0..<matrix.inputs).reduce(0) { $0 + abs(matrix[$1, output]) }
                    #expect(sum <= 1.000_001)
                }
                for (input, label) in Self.labels(from).enumerated()
                where label != kAudioChannelLabel_LFEScreen {
                    #expect(
                        (0..<matrix.outputs).contains { matrix[input, $0] > 0 },
                        "channel \(input) of \(from >> 16) is lost in \(to >> 16)")
                }
            }
        }
    }

    @Test("channels without a name are matched by number")
    func numbered() throws {
        let numbers = ChannelLabels.discrete(channels: 4)
        expectEqual(ChannelMatrix(from: numbers, to: [numbers[2], numbers[0]])?.map, [2, 0])
        expectEqual(
            ChannelMatrix(from: numbers, to: Self.labels(kAudioChannelLayoutTag_Stereo))?.map, [0, 1])
        let unknown = [AudioChannelLabel](repeating: kAudioChannelLabel_Unknown, count: 2)
        expectEqual(ChannelMatrix(from: unknown, to: ChannelLabels.defaults(channels: 3))?.map, [0, 1, -1])
        let twice = [kAudioChannelLabel_Left, kAudioChannelLabel_Left]
        expectEqual(ChannelMatrix(from: twice, to: ChannelLabels.defaults(channels: 1))?.map, [0])
        expectEqual(ChannelMatrix(from: [], to: [kAudioChannelLabel_Mono]), nil)
    }

    @Test("matrices of wrong sizes, maps to missing channels and gains that are not finite are refused")
    func refused() {
        expectEqual(ChannelMatrix(inputs: 2, outputs: 1, gains: [1]), nil)
        expectEqual(ChannelMatrix(inputs: 1, outputs: 1, gains: [.nan]), nil)
        expectEqual(ChannelMatrix(inputs: 0, outputs: 0, gains: []), nil)
        expectEqual(ChannelMatrix(inputs: 2, map: [0, 2]), nil)
        expectEqual(ChannelMatrix(inputs: 2, map: [-2]), nil)
        expectEqual(ChannelMatrix(inputs: 2, map: []), nil)
        expectEqual(ChannelMatrix(inputs: 2000, map: [0]), nil)
        expectEqual(ChannelMatrix(inputs: 2, outputs: -1), nil)
        expectEqual(ChannelMatrix(inputs: 2, outputs: 1025), nil)
        // Refused before memory is allocated.
        expectEqual(ChannelMatrix(inputs: 2, outputs: .max), nil)
    }
}
