// SPDX-License-Identifier: MIT

public import AQDevices
public import AudioQueues

/// Messages about devices that cannot be used, with what the user of a tool can do.
public struct DeviceAdvice: Sendable {
    private let purpose: String
    private let devices: String
    private let alternative: String?
    private let hasServer: @Sendable () -> Bool

    /// - Parameters:
    ///   - purpose: What cannot be done: "play".
    ///   - devices: What `--list-devices` shows: "sources".
    ///   - alternative: What is possible without a server; nil for nothing.
    ///   - hasServer: Returns whether a sound server answers.
    public init(
        purpose: String, devices: String = "devices", alternative: String? = nil,
        hasServer: @escaping @Sendable () -> Bool = DeviceAdvice.serverAnswers
    ) {
        self.purpose = purpose
        self.devices = devices
        self.alternative = alternative
        self.hasServer = hasServer
    }

    /// Returns the message for the failure of a queue.
    public func message(for error: QueueError) -> String {
        switch error.code {
        case .cannotStart: attempted(error.message) + startAdvice
        case .invalidDevice: attempted(error.message) + listAdvice
        default: attempted(error.message)
        }
    }

    /// Returns the message for the error of a device.
    public func message(for error: DeviceError) -> String {
        switch error.code {
        case .noServer: attempted(error.message) + startAdvice
        case .noSuchDevice: attempted(error.message) + listAdvice
        default: attempted(error.message)
        }
    }

    private func attempted(_ message: String) -> String {
        message.hasPrefix("cannot ") ? message : "cannot \(purpose): \(message)"
    }

    private var listAdvice: String { "; '--list-devices' shows the \(devices)" }

    /// The advice to start a server; empty if one answers.
    private var startAdvice: String {
        guard !hasServer() else { return "" }
        return "; start PulseAudio or PipeWire" + (alternative.map { ", or \($0)" } ?? "")
    }

    /// Whether a sound server answers within a second.
    @Sendable public static func serverAnswers() -> Bool {
        (try? PulseDevice.list(timeoutSeconds: 1)) != nil
    }
}
