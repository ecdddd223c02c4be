// SPDX-License-Identifier: MIT

/// The complete measures for each server, which a resumed run does not repeat.
public struct Completion: Sendable, Codable, Equatable {
    private var measures: [String: [String]] = [:]

    public init() {}

    public func has(_ measure: Measure, on server: String) -> Bool {
        measures[server]?.contains(measure.rawValue) ?? false
    }

    public mutating func add(_ measure: Measure, on server: String) {
        if !has(measure, on: server) { measures[server, default: []].append(measure.rawValue) }
    }

    /// Returns the measures of `wanted` that are not complete on a server, in the same order.
    public func left(of wanted: [Measure], on server: String) -> [Measure] {
        wanted.filter { !has($0, on: server) }
    }
}
