// SPDX-License-Identifier: MIT

import AQTestSupport

/// Changes of a running server by pactl.
extension PulseServer {
    /// Runs pactl and returns its output.
    ///
    /// - Throws: ``HarnessError`` with the message of pactl or the server.
    @discardableResult
    public func control(_ arguments: String...) throws -> String { try control(arguments) }

    func control(_ arguments: [String]) throws -> String {
        let result = try ChildProcess.run(
            "pactl", arguments, environment: environment, deadlineSeconds: 15)
        guard result.exitStatus == 0 else {
            throw HarnessError(
                "cannot do `pactl \(arguments.joined(separator: " "))`: status \(result.exitStatus), "
                    + result.standardError)
        }
        return result.standardOutput
    }

    /// Adds a null sink and returns its module's index, for ``unloadModule(_:)``.
    public func addSink(_ options: Options) throws -> Int {
        let module = try loadModule("module-null-sink", options.moduleArguments)
        // PipeWire may answer before the sink is listed (assumed: once a device that was just added was not found).
        let isListed = try HostClock.poll(upToSeconds: 5) {
            try control("list", "short", "sinks").split(separator: "\n").contains {
                $0.split(separator: "\t").dropFirst().first == options.sinkName[...]
            }
        }
        guard isListed else { throw HarnessError("the sink '\(options.sinkName)' does not appear") }
        return module
    }

    /// Restarts a sink with its clients' requested latency, without the up to two seconds of silence that an idle one
    /// has rendered. To be called once its monitor is recorded.
    ///
    /// A null sink that resumes uses the current time for its next frame. PipeWire renders nothing ahead.
    public func dropRenderedAhead(sink: String) throws {
        guard kind == .pulseAudio else { return }
        try suspendSink(sink, true)
        try suspendSink(sink, false)
    }

    public func loadModule(_ name: String, _ arguments: [String] = []) throws -> Int {
        let answer = try control(["load-module", name] + arguments)
        guard let index = Int(answer.filter { !$0.isWhitespace }) else {
            throw HarnessError("cannot load \(name): the server answered '\(answer)'")
        }
        return index
    }

    public func unloadModule(_ index: Int) throws { try control("unload-module", String(index)) }
    public func setDefaultSink(_ name: String) throws { try control("set-default-sink", name) }
    public func suspendSink(_ name: String, _ isSuspended: Bool) throws {
        try control("suspend-sink", name, isSuspended ? "1" : "0")
    }
    public func setSinkMuted(_ name: String, _ isMuted: Bool) throws {
        try control("set-sink-mute", name, isMuted ? "1" : "0")
    }

    /// The playing streams: one line each, as `pactl list short sink-inputs` prints them.
    public func playbackStreams() throws -> [String] {
        try control("list", "short", "sink-inputs").split(separator: "\n").map(String.init)
    }

    /// The properties of the streams that play or record now.
    ///
    /// - Parameter binary: Of programs of this name; nil for all.
    public func properties(
        of streams: StreamKind, by binary: String? = nil
    ) throws -> [[String: String]] {
        var lists: [[String: String]] = []
        for line in try control("list", streams.rawValue).split(separator: "\n") {
            if !line.hasPrefix("\t") {
                lists.append(["#": String(line.drop { $0 != "#" }.dropFirst())])
            } else if line.hasPrefix("\t\t"), let equals = line.firstRange(of: " = \""), line.hasSuffix("\"")
            {
                let key = line[..<equals.lowerBound].dropFirst(2)
                let value = line[equals.upperBound...].dropLast()
                lists[lists.count - 1][String(key)] = String(value.replacing("\\\"", with: "\""))
            }
        }
        return lists.filter { binary == nil || $0["application.process.binary"] == binary }
    }

    /// Streams, by pactl's name for them.
    public enum StreamKind: String, Sendable {
        case playing = "sink-inputs"
        case recording = "source-outputs"
    }
}
