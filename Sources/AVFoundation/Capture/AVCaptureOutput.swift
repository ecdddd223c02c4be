// SPDX-License-Identifier: MIT

import AQDevices
public import Foundation

/// A receiver of the audio of a session.
open class AVCaptureOutput: NSObject {
    private struct State {
        var connections: [AVCaptureConnection] = []
        /// The session that has the output. It ends this in its deinitialisation at the latest.
        var session: ObjectIdentifier?
    }

    private let state = Monitor(State())

    /// The connections to the inputs of the session.
    open var connections: [AVCaptureConnection] { currentConnections }

    /// As ``connections``, without code of a subclass.
    var currentConnections: [AVCaptureConnection] { state.withLock { $0.connections } }

    /// The connection with a type of media; nil if there is none.
    open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        mediaType == .audio ? currentConnections.first : nil
    }

    /// Whether no session has the output.
    var isFree: Bool { state.withLock { $0.session == nil } }

    /// Takes the output for a session.
    ///
    /// - Returns: False if a session has it.
    func join(_ session: AVCaptureSession) -> Bool {
        state.withLock { state in
            guard state.session == nil else { return false }
            state.session = ObjectIdentifier(session)
            return true
        }
    }

    /// Removes the connections of a session, if it has the output, and makes the output free.
    func leave(_ session: AVCaptureSession) {
        let removed = state.withLock { state -> [AVCaptureConnection] in
            guard state.session == ObjectIdentifier(session) else { return [] }
            defer { state = State() }
            return state.connections
        }
        // Released outside the lock, because a release may run a client's code.
        withExtendedLifetime(removed) {}
    }

    func add(_ connection: AVCaptureConnection) { state.withLock { $0.connections.append(connection) } }

    func removeConnections(from input: AVCaptureInput) {
        state.withLock { state in state.connections.removeAll { $0.input === input } }
    }
}
