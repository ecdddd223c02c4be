// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// Runs the requested measures, one server after the other.
struct Bench {
    let options: Options
    let peers: [PeerProgram]
    let peerFoldersToSearch: [String]
    var record: Record
    var order: RunOrder
    var progress = Progress()
    /// The schedule for the current server.
    private(set) var schedule: Schedule
    /// Whether anything was measured. If nothing was, the record gets no new session.
    private var hasBegun = false

    init(_ options: Options) throws {
        self.options = options
        peerFoldersToSearch = options.peerFolders + Self.peerFolders
        peers = try PeerProgram.find(in: peerFoldersToSearch, names: options.peers)
        record = try options.resumed.map { try Record(folder: $0) } ?? Record()
        let built = peers.map(\.name)
        record.peersMissing = options.peers == nil ? PeerTraits.allNames.filter { !built.contains($0) } : []
        order = RunOrder(seed: options.seed)
        schedule = options.schedule(for: .pulseAudio)
    }

    /// The folders of SwiftPM's products, with this program, and of make's products, two folders up.
    static var peerFolders: [String] {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        return [folder.path, folder.appending(path: "../../peers").standardizedFileURL.path]
    }

    // MARK: All measures

    /// - Throws: ``Interrupted`` after a signal, or ``BenchError`` if a measure failed. The results so far are written
    ///   in either case.
    mutating func run() throws {
        Interrupted.watch()
        try tellPlan()
        if let absence = StallWitness.absence {
            say("nobody watches for stalls of the machine: \(absence)")
        }
        do {
            for kind in options.servers { try run(on: kind) }
            let left = record.completion.left(of: options.measures, on: Self.noServer)
            if left.contains(.throughput) {
                try run(.throughput, on: Self.noServer) { try $0.throughput() }
            }
        } catch {
            // Keeps the results so far, whatever the error.
            try write()
            // If an interrupt ended the server during its start, the interrupt is the error to report.
            try Interrupted.check()
            throw error
        }
        try write()
        guard record.failures.isEmpty else {
            throw BenchError("\(record.failures.count) measures could not be made: see above")
        }
    }

    /// The key of measures without a server.
    private static let noServer = "none"

    private mutating func run(on kind: SoundServerKind) throws {
        schedule = options.schedule(for: kind)
        let left = record.completion.left(of: options.measures, on: kind.rawValue).filter(\.needsServer)
        guard !left.isEmpty else { return }
        let rig = try Rig(
            kind: kind, seconds: schedule.longestSeconds + 20, periodMilliseconds: options.periodMilliseconds)
        record.servers[kind.rawValue] = rig.serverVersion
        say("# \(rig.serverVersion), null sink at \(Rig.sampleRate) Hz")
        let load = try options.isLoaded ? Load() : nil
        defer { load?.end() }
        for measure in left {
            try Interrupted.check()
            try run(measure, on: kind.rawValue) { try $0.run(measure, on: rig) }
        }
        rig.server.stop()
    }

    /// Makes one measure and writes the record, so that the results are kept if a later measure fails.
    private mutating func run(
        _ measure: Measure, on server: String, _ action: (inout Bench) throws -> Void
    ) throws {
        if !hasBegun { record.sessions.append(.init(arguments: options.given)) }
        hasBegun = true
        record.forget(measure, on: server, of: options.peers)
        progress.begin(measure, estimate(measure, server))
        do {
            try action(&self)
            record.completion.add(measure, on: server)
        } catch let interrupted as Interrupted {
            throw interrupted
        } catch {
            try Interrupted.check()
            say("\(measure.rawValue): \(error)")
            record.failures.append(.init(server: server, measure: measure, reason: "\(error)"))
        }
        progress.end()
        try write()
    }

    private mutating func run(_ measure: Measure, on rig: Rig) throws {
        switch measure {
        case .roundtrip: try roundTrip(on: rig)
        case .sweep: try sweep(on: rig)
        case .frontier: try frontier(on: rig)
        case .load: try loaded(on: rig)
        case .goals: try goals(on: rig)
        case .scale: try scale(on: rig)
        case .input: try input(on: rig, isDuplex: false)
        case .duplex: try input(on: rig, isDuplex: true)
        case .audiothread: try audioThreads(on: rig)
        case .mix: try mix(on: rig)
        case .coldstart: try coldStart(on: rig)
        case .tools: try tools(on: rig)
        case .throughput: try throughput()
        }
    }

    /// Writes the record and the report, with the duration of the session so far, because any call may be the last.
    private mutating func write() throws {
        if hasBegun { record.noteEnd() }
        if let folder = options.folder { try Report(record).write(to: folder) }
    }

    // MARK: Estimates

    private func estimate(_ measure: Measure, _ server: String) -> Estimate {
        let kind = SoundServerKind(rawValue: server) ?? .pulseAudio
        let tools = measure == .tools ? (try? ToolProgram.all(on: kind).map(\.formats.count).reduce(0, +)) : 0
        return options.schedule(for: kind).estimate(
            measure, peers: peers.map(\.traits), tools: tools ?? 0, sampleRate: Double(Rig.sampleRate))
    }

    /// Prints the number of runs and their approximate duration.
    private func tellPlan() throws {
        var all = Estimate()
        var lines: [String] = []
        let servers = options.servers.map { ($0.rawValue, true) } + [(Self.noServer, false)]
        for (server, isServer) in servers {
            for measure in record.completion.left(of: options.measures, on: server)
            where measure.needsServer == isServer {
                let estimate = estimate(measure, server)
                all = all + estimate
                let place = isServer ? OutputTable.pad(server, 12) : OutputTable.pad("", 12)
                lines.append("  \(place)\(OutputTable.pad(measure.rawValue, 12))\(estimate.text)")
            }
        }
        say("\(all.text), by now until \(Progress.clock(after: all.seconds))")
        if lines.count > 1 { lines.forEach { say($0) } }
        if !record.peersMissing.isEmpty {
            say("not built here: \(record.peersMissing.joined(separator: ", "))")
        }
    }

    // MARK: Runs

    /// Returns a run with the options of the command line that apply to all runs.
    func run(
        _ measure: Measure, _ peer: PeerProgram, _ setting: BufferSetting, seconds: Double,
        isLoaded: Bool? = nil, more: [String] = []
    ) -> PeerRun {
        let fault = options.fault.map { ["--fault", $0] } ?? []
        return PeerRun(
            measure: measure.rawValue, peer: peer, setting: setting, seconds: seconds,
            isLoaded: isLoaded ?? options.isLoaded, moreArguments: fault + more)
    }

    /// The number of times that a run is made if the server is lost.
    private static let mostTries = 3

    /// Makes a run, and repeats it with a new server if the server was lost. Only a loss in every try counts as the
    /// result of the run.
    ///
    /// - Parameter what: The name of the run, for the progress line and the record of losses.
    /// - Throws: ``Interrupted``, or ``BenchError`` if no server starts.
    mutating func make<Result>(_ what: String, on rig: Rig, _ run: () throws -> Result) throws -> Result {
        progress.step(what)
        var tries = 1
        while true {
            let result = try run()
            // A run that was ended by an interrupt has no valid result.
            try Interrupted.check()
            guard rig.isLost else { return result }
            let loss = Record.Loss(
                server: rig.kind.rawValue, measure: progress.measure, run: what, reason: rig.lossReason)
            say("\(what): the server was lost, another is started: \(loss.reason)")
            record.losses.append(loss)
            try rig.restart()
            if tries == Self.mostTries { return result }
            tries += 1
        }
    }

    /// Makes a run, prints its result, and keeps it.
    ///
    /// - Throws: ``Interrupted``. The failure of a run is a result.
    @discardableResult
    mutating func measure(_ run: PeerRun, on rig: Rig) throws -> OutputResult {
        var result = try make("\(run.peer.name) \(run.setting)", on: rig) { run.measured(on: rig) }
        say(OutputTable.line(result))
        record.keep(&result)
        return result
    }
}
