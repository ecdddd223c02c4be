// SPDX-License-Identifier: MIT

import AudioDevices
public import Foundation

/// A receiver of the audio of a session.
open class AVCaptureOutput: NSObject {
    private let links = Monitor<[AVCaptureConnection]>([])

    /// The connections to the inputs of the session.
    open var connections: [AVCaptureConnection] { currentConnections }

    /// As ``connections``, without code of a subclass.
    var currentConnections: [AVCaptureConnection] { links.withLock { $0 } }

    /// The connection with a type of media; nil if there is none.
    open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        mediaType == .audio ? currentConnections.first : nil
    }

    func add(_ connection: AVCaptureConnection) { links.withLock { $0.append(connection) } }

    func removeConnections(from input: AVCaptureInput) {
        links.withLock { links in links.removeAll { $0.input === input } }
    }
}
