// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import CAQAudioToolbox

/// A property of the audio session: its size, and the functions that read and set it.
struct SessionProperty: Sendable {
    typealias Reader = @Sendable (SessionClient) throws(StatusError) -> PropertyAnswer
    /// Sets the value in these bytes, whose number was checked.
    typealias Writer = @Sendable (SessionClient, [UInt8]) throws(StatusError) -> Void

    let byteCount: Int
    /// Nil for a property that can only be set, or has only listeners.
    var read: Reader?
    /// Nil for a property that cannot be set.
    var write: Writer?
    var hasListeners = false

    /// The property of a number.
    ///
    /// - Throws: `kAudioSessionUnsupportedPropertyError`.
    static func find(_ identifier: AudioSessionPropertyID) throws(StatusError) -> SessionProperty {
        guard let found = all[identifier] else { throw StatusError(kAudioSessionUnsupportedPropertyError) }
        return found
    }

    static let all: [AudioSessionPropertyID: SessionProperty] =
        settings.merging(hardware) { first, _ in first }.merging(routes) { first, _ in first }
}

// MARK: Makers of properties

extension SessionProperty {
    /// A number that is read from the hardware.
    static func fact<Value: BitwiseCopyable & Sendable>(
        hasListeners: Bool = false, _ read: @escaping @Sendable (SessionClient) throws(StatusError) -> Value
    ) -> SessionProperty {
        SessionProperty(
            byteCount: MemoryLayout<Value>.size,
            read: { (client: SessionClient) throws(StatusError) in .one(try read(client)) },
            hasListeners: hasListeners)
    }

    /// A number of the settings, which can be set.
    static func setting<Value: BitwiseCopyable & Sendable>(
        _ read: (@Sendable (SessionSettings) -> Value)?,
        _ write: @escaping @Sendable (inout SessionSettings, Value) throws(StatusError) -> Void
    ) -> SessionProperty {
        var property = SessionProperty(byteCount: MemoryLayout<Value>.size)
        if let read {
            property.read = { (client: SessionClient) throws(StatusError) in
                .one(read(client.session.settings))
            }
        }
        property.write = { (client: SessionClient, bytes: [UInt8]) throws(StatusError) in
            // SAFETY: the number of bytes was checked, and any bits are a number.
            let value = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
            try client.session.change { settings -> Result<Void, StatusError> in
                do throws(StatusError) {
                    try write(&settings, value)
                    return .success(())
                } catch { return .failure(error) }
            }.get()
        }
        return property
    }

    /// A setting that is 0 or 1, which the category may not allow to be 1.
    static func option(
        _ path: any WritableKeyPath<SessionSettings, Bool> & Sendable,
        isAllowed: @escaping @Sendable (SessionSettings.Category) -> Bool
    ) -> SessionProperty {
        setting({ $0[keyPath: path] ? 1 : 0 as UInt32 }) { (settings, value: UInt32) throws(StatusError) in
            guard value == 0 || isAllowed(settings.category) else {
                throw StatusError(kAudioSessionIncompatibleCategory)
            }
            settings[keyPath: path] = value != 0
        }
    }

    /// An object, which the client releases.
    static func object(
        hasListeners: Bool = false,
        _ make: @escaping @Sendable (SessionClient) throws(StatusError) -> AnyObject?
    ) -> SessionProperty {
        SessionProperty(
            byteCount: MemoryLayout<UInt>.size,
            read: { (client: SessionClient) throws(StatusError) in
                guard let object = try make(client) else { throw StatusError(kAudioSessionUnspecifiedError) }
                return .object { object }
            }, hasListeners: hasListeners)
    }
}

extension SessionClient {
    /// The current devices, queried from the server.
    ///
    /// - Throws: `kAudioServicesNoHardwareError` if no server answers.
    func devices() throws(StatusError) -> SessionDevices {
        do throws(DeviceError) { return try session.devices() } catch {
            throw StatusError(kAudioServicesNoHardwareError)
        }
    }

    /// The current route of the session.
    func route() throws(StatusError) -> SessionRoute {
        SessionRoute(try devices(), session.settings)
    }
}
