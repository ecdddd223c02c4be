import BenchKit
import SoundHarness

/// The frontier: at which setting a peer has no gap, and how late it is there.
extension Bench {
    /// Numbers of buffers and their lengths, as far as a library can be asked for both.
    private func settings(of peer: PeerProgram) -> [BufferSetting] {
        if let settings = options.settings { return settings }
        let frames =
            options.effort == .full
            ? [24, 48, 72, 96, 144, 240, 480, 960, 2400, 4800]
            : options.effort == .quick ? [48, 96, 240] : [48, 72, 96, 144, 240, 480]
        let buffers: [Int] =
            switch (options.effort, peer.asks) {
            // Whatever is asked for in buffers is one total: 2 to 8 of them only repeat what lengths cover.
            case (_, .total): [2, 3]
            case (_, .period): [3]
            case (.full, .both): [2, 3, 4, 6, 8]
            case (_, .both): options.effort == .quick ? [3] : [2, 3, 4]
            }
        return buffers.flatMap { count in frames.map { BufferSetting(buffers: count, frames: $0) } }
    }

    /// Short runs of all settings in turn; then the promising ones, the lowest latency first, for as long as
    /// counts, until one has no gap.
    mutating func sweep(on rig: Rig) {
        let shortSeconds = options.effort == .full ? 5.0 : options.effort == .quick ? 2.5 : 3.5
        // A quick sweep is of ours and of the two that are to be reached, unless others are named.
        let peers =
            options.effort == .quick && options.peers == nil
            ? peers.filter { [PeerProgram.ours, "libpulse", "cubeb"].contains($0.name) } : peers
        let longSeconds =
            options.seconds ?? (options.effort == .full ? 60 : options.effort == .quick ? 6 : 10)
        say("\n## Sweep: every setting for \(shortSeconds) s\n\(OutputTable.header)")
        let all = peers.flatMap { peer in
            settings(of: peer).map { run("sweep", peer, $0, seconds: shortSeconds) }
        }
        let results = measure(order.interleaved(all, repeats: 1), on: rig)
        say("\n## Frontier: the lowest latency without a gap for \(longSeconds) s\n\(OutputTable.header)")
        func promising(_ peer: PeerProgram, _ isWanted: (BufferSetting) -> Bool) -> [PeerRun] {
            results.filter { $0.peer == peer.name && $0.isGapFree && isWanted($0.setting) }
                .sorted { ($0.latency?.median ?? .infinity) < ($1.latency?.median ?? .infinity) }
                .map { run("frontier", peer, $0.setting, seconds: longSeconds) }
        }
        var candidates = peers.map { promising($0) { _ in true } }
        // Ours is asked besides what it can do with three buffers.
        candidates += peers.filter { $0.name == PeerProgram.ours }
            .map { promising($0) { $0.buffers == 3 } }
            .filter { three in
                !candidates.contains {
                    $0.first?.setting == three.first?.setting && $0.first?.peer.name == PeerProgram.ours
                }
            }
        // In turn: one try for each peer that has not succeeded yet.
        while candidates.contains(where: { !$0.isEmpty }) {
            for index in candidates.indices.shuffled(using: &order) {
                guard let next = candidates[index].first else { continue }
                candidates[index].removeFirst()
                if measure([next], on: rig).allSatisfy(\.isGapFree) { candidates[index].removeAll() }
            }
        }
        frontier(of: peers)
    }

    /// Says for each peer where it ended up.
    private func frontier(of peers: [PeerProgram]) {
        say("\npeer          lowest setting without a gap, and its latency in ms")
        for peer in peers {
            let best = record.outputs.filter {
                $0.measure == "frontier" && $0.peer == peer.name && $0.isGapFree
            }
            for result in best { say(OutputTable.pad(peer.name, 14) + OutputTable.frontier(result)) }
            if best.isEmpty { say(OutputTable.pad(peer.name, 14) + "none of those that were tried") }
        }
    }
}
