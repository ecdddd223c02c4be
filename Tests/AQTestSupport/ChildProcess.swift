// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// A tool that runs for a measurement: its output, resources and exit.
///
/// It is killed when its owner releases it, and when this process ends in any way.
public final class ChildProcess: Sendable {
    /// The facts known once the process has ended.
    public struct Result: Sendable {
        /// The exit status, or 128 + the signal's number after a signal, as in a shell.
        public var exitStatus: Int32
        /// The signal that ended it, or 0.
        public var signal: Int32
        public var standardOutput: String
        public var standardError: String
        public var userSeconds: Double
        public var systemSeconds: Double
        public var peakResidentBytes: Int
        /// The times just before its start and just after its end.
        public var startHostTime: UInt64
        public var endHostTime: UInt64
        /// Whether it was killed at its time limit.
        public var isTimedOut: Bool

        public var processorSeconds: Double { userSeconds + systemSeconds }
        public var wallSeconds: Double { HostClock.seconds(from: startHostTime, to: endHostTime) }
    }

    public let executable: String
    public let processIdentifier: Int32
    public let startHostTime: UInt64

    private let collectedOutput: OwnedDescriptor?
    private let errorOutput: OwnedDescriptor
    private let end: ProcessEnd

    /// Starts `executable`, looked up in PATH unless it names a path.
    ///
    /// - Parameters:
    ///   - environment: Variables to set in a copy of this process's environment; nil removes one.
    ///   - standardInput: Bytes to read from; empty is an input at its end.
    public convenience init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
        standardInput: [UInt8] = []
    ) throws {
        let input = try SystemFile.makeScratch()
        let isWritten = unsafe standardInput.withUnsafeBytes {
            unsafe SystemFile.writeAll($0, to: input.number)
        }
        guard isWritten, lseek(input.number, 0, SEEK_SET) == 0 else {
            throw HarnessError("cannot keep the input of \(executable): \(SystemFile.lastError)")
        }
        try self.init(executable, arguments, environment: environment, input: input, output: nil)
    }

    /// Starts a process that writes to `output`; nil collects what it writes.
    ///
    /// - Parameter isGroup: Whether signals also reach what it starts itself, which ends with it.
    package init(
        _ executable: String, _ arguments: [String], environment: [String: String?],
        input: OwnedDescriptor?, output: OwnedDescriptor?, isGroup: Bool = false
    ) throws {
        self.executable = executable
        // A pipe end of the child must not stay open here, or its reader never gets the end.
        collectedOutput = try output == nil ? SystemFile.makeScratch() : nil
        errorOutput = try SystemFile.makeScratch()
        let variables = Environment.all.merging(environment.compactMapValues { $0 }) { $1 }
            .filter { environment[$0.key] != .some(.none) }
        startHostTime = HostClock.now
        processIdentifier = try Spawn.start(
            executable, arguments, environment: variables, standardInput: input,
            standardOutput: output ?? collectedOutput, standardError: errorOutput, isGroupLeader: isGroup)
        end = ProcessEnd(of: processIdentifier, isGroup: isGroup)
        try ProcessGuard.shared.watch(process: end.target)
    }

    deinit { end.signal(SIGKILL) }

    /// Runs a tool to its end.
    ///
    /// - Throws: ``HarnessError`` if it cannot be started. A failure, or a timeout, is in the result.
    public static func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
        standardInput: [UInt8] = [], deadlineSeconds: Double = 60
    ) throws -> Result {
        try ChildProcess(executable, arguments, environment: environment, standardInput: standardInput)
            .wait(deadlineSeconds: deadlineSeconds)
    }

    public var isRunning: Bool { end.isAwaited }

    /// Whether a signal has stopped it until SIGCONT.
    package var isStopped: Bool {
        let status = String(
            decoding: SystemFile.contents(ofPath: "/proc/\(processIdentifier)/stat"), as: UTF8.self)
        return status.split(separator: ") ").last?.hasPrefix("T") == true
    }

    /// Sends a signal, unless the process has ended.
    public func signal(_ number: Int32) { end.signal(number) }

    /// Its standard output so far.
    public var standardOutput: String {
        guard let collectedOutput else { return "" }
        return String(decoding: SystemFile.contents(of: collectedOutput.number), as: UTF8.self)
    }
    /// Its standard error so far.
    public var standardError: String {
        String(decoding: SystemFile.contents(of: errorOutput.number), as: UTF8.self)
    }

    /// Waits for the end, forced by SIGKILL after `deadlineSeconds`.
    @discardableResult
    public func wait(deadlineSeconds: Double = 60) -> Result {
        let isTimedOut = !end.wait(upToSeconds: deadlineSeconds)
        if isTimedOut { end.signal(SIGKILL) }
        let ending = end.wait()
        let endSignal = ending.status & 0x7f
        return Result(
            exitStatus: endSignal == 0 ? (ending.status >> 8) & 0xff : 128 + endSignal, signal: endSignal,
            standardOutput: standardOutput, standardError: standardError,
            userSeconds: Self.seconds(ending.usage.ru_utime),
            systemSeconds: Self.seconds(ending.usage.ru_stime),
            peakResidentBytes: ending.usage.ru_maxrss * 1024, startHostTime: startHostTime,
            endHostTime: ending.hostTime, isTimedOut: isTimedOut)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
