// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

/// The description of a graph that `CAShow` prints.
extension GraphObject {
    var lines: [String] {
        let state = state.withLock { $0 }
        var lines = [
            "graph: \(state.isOpen ? "open" : "closed"), "
                + "\(state.isInitialized ? "initialized" : "not initialized"), "
                + "\(isRunning ? "running" : "not running")"
        ]
        lines += state.nodes.map { node in
            "  node \(node.number): \(node.entry.name)\(node.isInitialized ? ", initialized" : "")"
        }
        lines += state.wanted.map { interaction in
            let isApplied = state.applied.contains(interaction)
            let source =
                switch interaction.source {
                case .node(let number, let output): "node \(number) bus \(output)"
                case .callback(let callback): "callback 0x\(String(callback.procedure, radix: 16))"
                }
            return "  \(source) => node \(interaction.node) bus \(interaction.input)"
                + (isApplied ? "" : ", waiting for an update")
        }
        return lines
    }
}
