// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The gains from the speakers of one layout to those of another.
struct SpeakerMix {
    /// The gains, a row for each input and a column for each output.
    private(set) var gains: [Float]

    /// Makes a mix; nil if a label is unknown or occurs twice, or all of the input would be silent.
    init?(from inputLabels: [AudioChannelLabel], to outputLabels: [AudioChannelLabel]) {
        let inputs = Self.canonical(inputLabels, beside: outputLabels)
        let outputs = Self.canonical(outputLabels, beside: inputLabels)
        guard Self.areDistinct(inputs), Self.areDistinct(outputs) else { return nil }
        gains = Array(repeating: 0, count: inputs.count * outputs.count)
        for (row, label) in inputs.enumerated() {
            for (target, gain) in Self.route(label, to: outputs, depth: 0) {
                guard let column = outputs.firstIndex(of: target) else { continue }
                gains[row * outputs.count + column] += gain
            }
        }
        guard gains.contains(where: { $0 != 0 }) else { return nil }
        normalise(columns: outputs.count)
    }

    /// Divides all gains by the largest sum of a column, if this is above 1.
    private mutating func normalise(columns: Int) {
        var largest: Float = 1
        for column in 0..<columns {
            let sum = stride(from: column, to: gains.count, by: columns).reduce(0) { $0 + abs(gains[$1]) }
            largest = max(largest, sum)
        }
        guard largest > 1 else { return }
        for index in gains.indices { gains[index] /= largest }
    }

    /// Returns the labels with one name for each position. A stereo pair is left and right by any name, a single
    /// channel is mono, and rear or side surrounds are the surrounds of a layout without others. Names that the
    /// `other` layout also has are kept.
    private static func canonical(
        _ labels: [AudioChannelLabel], beside other: [AudioChannelLabel]
    ) -> [AudioChannelLabel] {
        if labels == [kAudioChannelLabel_Center] { return [kAudioChannelLabel_Mono] }
        var result = labels
        for (name, place) in synonyms where !result.contains(place) && !other.contains(name) {
            if let index = result.firstIndex(of: name) { result[index] = place }
        }
        return result
    }

    private static func areDistinct(_ labels: [AudioChannelLabel]) -> Bool {
        let vague = [
            kAudioChannelLabel_Unknown, kAudioChannelLabel_Unused, kAudioChannelLabel_UseCoordinates,
        ]
        return Set(labels).count == labels.count && !labels.contains(where: vague.contains)
    }

    private static func route(
        _ label: AudioChannelLabel, to outputs: [AudioChannelLabel], depth: Int
    ) -> [(AudioChannelLabel, Float)] {
        if outputs.contains(label) { return [(label, 1)] }
        // No chain of neighbours is longer. Without a limit, mono and the pair of left and right would lead to each
        // other for ever.
        guard depth < 5, let ways = neighbours[label] else { return [] }
        if let way = ways.first(where: { $0.allSatisfy { outputs.contains($0.0) } }) { return way }
        guard let last = ways.last else { return [] }
        return last.flatMap { next, gain in
            route(next, to: outputs, depth: depth + 1).map { ($0.0, $0.1 * gain) }
        }
    }

    private static let synonyms: [(AudioChannelLabel, AudioChannelLabel)] = [
        (kAudioChannelLabel_HeadphonesLeft, kAudioChannelLabel_Left),
        (kAudioChannelLabel_HeadphonesRight, kAudioChannelLabel_Right),
        (kAudioChannelLabel_LeftTotal, kAudioChannelLabel_Left),
        (kAudioChannelLabel_RightTotal, kAudioChannelLabel_Right),
        (kAudioChannelLabel_BinauralLeft, kAudioChannelLabel_Left),
        (kAudioChannelLabel_BinauralRight, kAudioChannelLabel_Right),
        (kAudioChannelLabel_LeftSideSurround, kAudioChannelLabel_LeftSurround),
        (kAudioChannelLabel_RightSideSurround, kAudioChannelLabel_RightSurround),
        (kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_LeftSurround),
        (kAudioChannelLabel_RightSurroundDirect, kAudioChannelLabel_RightSurround),
        (kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_LeftSurround),
        (kAudioChannelLabel_RearSurroundRight, kAudioChannelLabel_RightSurround),
        (kAudioChannelLabel_LeftBackSurround, kAudioChannelLabel_LeftSurround),
        (kAudioChannelLabel_RightBackSurround, kAudioChannelLabel_RightSurround),
    ]

    private static let step: Float = 0.707_106_77

    /// The positions that replace each position, best first. The last ones are resolved through their own neighbours.
    private static let neighbours: [AudioChannelLabel: [[(AudioChannelLabel, Float)]]] = {
        let (left, right) = (kAudioChannelLabel_Left, kAudioChannelLabel_Right)
        let (centre, mono) = (kAudioChannelLabel_Center, kAudioChannelLabel_Mono)
        let (leftSide, rightSide) = (kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround)
        let behind = kAudioChannelLabel_CenterSurround
        var result: [AudioChannelLabel: [[(AudioChannelLabel, Float)]]] = [
            mono: [[(centre, 1)], [(left, 1), (right, 1)]],
            centre: [[(mono, 1)], [(left, step), (right, step)]],
            left: [[(mono, step)], [(centre, step)]],
            right: [[(mono, step)], [(centre, step)]],
            leftSide: [[(behind, step)], [(left, step)]],
            rightSide: [[(behind, step)], [(right, step)]],
            behind: [[(leftSide, step), (rightSide, step)]],
            kAudioChannelLabel_LeftCenter: [[(left, step), (centre, step)], [(left, 1)]],
            kAudioChannelLabel_RightCenter: [[(right, step), (centre, step)], [(right, 1)]],
            kAudioChannelLabel_LeftWide: [[(left, 1)]],
            kAudioChannelLabel_RightWide: [[(right, 1)]],
            kAudioChannelLabel_CenterSurroundDirect: [[(behind, 1)]],
            kAudioChannelLabel_TopCenterSurround: [[(behind, step)]],
            kAudioChannelLabel_VerticalHeightLeft: [[(left, step)]],
            kAudioChannelLabel_VerticalHeightCenter: [[(centre, step)]],
            kAudioChannelLabel_VerticalHeightRight: [[(right, step)]],
            kAudioChannelLabel_TopBackCenter: [[(behind, step)]],
            kAudioChannelLabel_LFE2: [[(kAudioChannelLabel_LFEScreen, step)]],
        ]
        for label in [
            kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_LeftSideSurround,
            kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_LeftBackSurround,
            kAudioChannelLabel_TopBackLeft, kAudioChannelLabel_LeftTopMiddle,
            kAudioChannelLabel_LeftTopRear, kAudioChannelLabel_LeftTopSurround,
        ] {
            result[label] = [[(leftSide, step)]]
        }
        for label in [
            kAudioChannelLabel_RearSurroundRight, kAudioChannelLabel_RightSideSurround,
            kAudioChannelLabel_RightSurroundDirect, kAudioChannelLabel_RightBackSurround,
            kAudioChannelLabel_TopBackRight, kAudioChannelLabel_RightTopMiddle,
            kAudioChannelLabel_RightTopRear, kAudioChannelLabel_RightTopSurround,
        ] {
            result[label] = [[(rightSide, step)]]
        }
        return result
    }()
}
