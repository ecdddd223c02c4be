// SPDX-License-Identifier: MIT

/// The combined results of all runs of one library with one setting beside busy processes.
public struct LoadPoint: Sendable, Equatable {
    public var peer: String
    public var setting: BufferSetting
    /// The median of the runs' medians, and the largest 99th percentile, in milliseconds.
    public var latencyMilliseconds: Double
    public var percentile99Milliseconds: Double
    public var runs: Int
    public var countedSeconds: Double
    /// Gaps that are the library's fault, and gaps that are attributed to stalls of the machine.
    public var gaps: Int
    public var gapsBesideStalls: Int
    /// The length of all gaps together, and of the longest.
    public var gapMilliseconds: Double
    public var longestGapMilliseconds: Double

    /// The largest factor between two latencies that count as equal.
    private static let nearness = 1.25

    public var gapsPerMinute: Double { countedSeconds > 0 ? Double(gaps) * 60 / countedSeconds : 0 }

    /// Combines runs by library and setting, in the order of their latencies. Failed runs are ignored.
    public static func points(_ results: [OutputResult]) -> [LoadPoint] {
        let measured = results.filter { $0.failure == nil && $0.latency != nil }
        let groups = Dictionary(grouping: measured) { Key(peer: $0.peer, setting: $0.setting) }
        return groups.map { key, runs in
            LoadPoint(
                peer: key.peer, setting: key.setting,
                latencyMilliseconds: Summary(runs.compactMap(\.latency?.median))?.median ?? .nan,
                percentile99Milliseconds: runs.compactMap(\.latency?.percentile99).max() ?? .nan,
                runs: runs.count, countedSeconds: runs.reduce(0) { $0 + $1.countedSeconds },
                gaps: runs.reduce(0) { $0 + $1.gaps.own },
                gapsBesideStalls: runs.reduce(0) { $0 + ($1.gaps.besideStalls ?? 0) },
                gapMilliseconds: runs.reduce(0) { $0 + $1.gaps.totalMilliseconds },
                longestGapMilliseconds: runs.map(\.gaps.longestMilliseconds).max() ?? 0)
        }
        .sorted {
            ($0.latencyMilliseconds, $0.peer, $0.setting.frames)
                < ($1.latencyMilliseconds, $1.peer, $1.setting.frames)
        }
    }

    /// Returns the point with the latency nearest to `milliseconds`; nil if the nearest differs by more than a quarter.
    public static func nearest(_ milliseconds: Double, in points: [LoadPoint]) -> LoadPoint? {
        func factor(_ point: LoadPoint) -> Double {
            guard point.latencyMilliseconds > 0 else { return .infinity }
            return max(point.latencyMilliseconds / milliseconds, milliseconds / point.latencyMilliseconds)
        }
        return points.min { factor($0) < factor($1) }.flatMap { factor($0) <= nearness ? $0 : nil }
    }

    private struct Key: Hashable {
        var peer: String
        var setting: BufferSetting
    }
}
