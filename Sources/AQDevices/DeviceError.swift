// SPDX-License-Identifier: MIT

/// An error of a device: the operation that failed, and the reason.
public struct DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: UInt8, Sendable {
        /// No server answers.
        case noServer
        /// There is a server, but it does not have the device.
        case noSuchDevice
        /// The server died, or the device disappeared, and did not return in time.
        case connectionLost
        /// The sample format, rate or channel count is not supported, or the device lacks a selected channel.
        case unsupportedFormat
        /// The server refused, the process lacks a thread, descriptors or memory, or it was forked after its parent had
        /// used devices. ``DeviceError/message`` has the reason.
        case refused
    }

    public var code: Code
    /// The error text, in lower case and without a full stop: the operation that failed, its target, and the cause.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
