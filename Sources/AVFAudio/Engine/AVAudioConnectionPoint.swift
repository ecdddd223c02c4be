// SPDX-License-Identifier: MIT

public import Foundation

/// A bus of a node, as the end of a connection.
open class AVAudioConnectionPoint: NSObject {
    /// The node; nil if it was released.
    open private(set) weak var node: AVAudioNode?
    public let bus: AVAudioNodeBus

    public init(node: AVAudioNode, bus: AVAudioNodeBus) {
        self.node = node
        self.bus = bus
        super.init()
    }
}
