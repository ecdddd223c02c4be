// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// A program under test.
struct PeerProgram {
    /// The name without its prefix, such as "libpulse".
    var name: String
    var path: String

    /// Finds all peers that were built, this project's first, then libpulse, then the others by name.
    ///
    /// - Parameter names: The programs to find; nil for all except those that are only measured if they are named.
    /// - Throws: ``BenchError`` if there are none, or if one of `names` is missing.
    static func find(
        in folders: [String], names: [String]?, prefix: String = "peer-"
    ) throws -> [PeerProgram] {
        var found: [String: PeerProgram] = [:]
        for folder in folders {
            for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let path = "\(folder)/\(file)"
                guard file.hasPrefix(prefix), !file.contains("."),
                    FileManager.default.isExecutableFile(atPath: path)
                else { continue }
                var isFolder: ObjCBool = false
                guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { continue }
                let name = String(file.dropFirst(prefix.count))
                if found[name] == nil { found[name] = PeerProgram(name: name, path: path) }
            }
        }
        guard !found.isEmpty else {
            throw BenchError(
                "cannot find programs to measure in \(folders.joined(separator: ", ")): build them first")
        }
        guard let names else {
            return found.values.filter { prefix != "peer-" || $0.name != PeerTraits.engine }
                .sorted { $0.order < $1.order }
        }
        return try names.map { name in
            guard let program = found[name] else {
                let known = found.keys.sorted().joined(separator: ", ")
                throw BenchError("cannot measure '\(name)': there is no peer-\(name), only \(known)")
            }
            return program
        }
    }

    /// The properties of the peer's library.
    var traits: PeerTraits { PeerTraits(name: name) }

    private var order: String {
        switch name {
        case PeerTraits.ours: "0"
        case "libpulse": "1"
        default: "2\(name)"
        }
    }

    /// Returns the command line of a peer.
    func arguments(
        mode: String = "output", setting: BufferSetting, seconds: Double, signal: String = "noise",
        log: String, sinks: [String] = [Rig.sinkName], more: [String] = []
    ) -> [String] {
        [
            "--mode", mode, "--rate", String(Rig.sampleRate), "--channels", "2", "--buffer-frames",
            String(setting.frames), "--buffers", String(setting.buffers), "--seconds", String(seconds),
            "--signal", signal, "--log", log, "--device", sinks.joined(separator: ","),
        ] + more
    }
}
