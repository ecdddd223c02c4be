/// Which measures are whole, for each server: what is not made again when a record is gone on with.
public struct Completion: Sendable, Codable, Equatable {
    private var measures: [String: [String]] = [:]

    public init() {}

    public func has(_ measure: Measure, on server: String) -> Bool {
        measures[server]?.contains(measure.rawValue) ?? false
    }

    public mutating func add(_ measure: Measure, on server: String) {
        if !has(measure, on: server) { measures[server, default: []].append(measure.rawValue) }
    }

    /// What of `wanted` is left to do on a server, in its order.
    public func left(of wanted: [Measure], on server: String) -> [Measure] {
        wanted.filter { !has($0, on: server) }
    }
}
