/// Why a device cannot play, and what was being done.
public struct DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: UInt8, Sendable {
        /// No server answers at all.
        case noServer
        /// The server is there, but not the device.
        case noSuchDevice
        /// The server died, or the device vanished, and did not come back in time.
        case connectionLost
        /// The sample format, rate or channel count cannot be played.
        case unsupportedFormat
        /// The server refused, for another reason that ``DeviceError/message`` tells.
        case refused
    }

    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
