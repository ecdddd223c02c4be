// SPDX-License-Identifier: MIT

import AQSessions
public import Foundation

/// The ports that the session used at one moment. It never changes.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    // SAFETY: constants.

    /// The microphone, or nothing.
    public let inputs: [AVAudioSessionPortDescription]
    /// The output, or nothing.
    public let outputs: [AVAudioSessionPortDescription]

    init(_ route: SessionRoute) {
        inputs = route.input.map { [AVAudioSessionPortDescription($0, isInput: true)] } ?? []
        outputs = route.output.map { [AVAudioSessionPortDescription($0, isInput: false)] } ?? []
        super.init()
    }

    /// Whether another object has the same ports.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(inputs)
        hasher.combine(outputs)
        return hasher.finalize()
    }

    open override var description: String {
        "<AVAudioSessionRouteDescription \(ObjectIdentifier(self).address): "
            + "inputs = \(inputs); outputs = \(outputs)>"
    }
}
