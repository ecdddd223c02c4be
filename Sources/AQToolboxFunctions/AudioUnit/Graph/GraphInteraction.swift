// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

/// The source of an input of a node: a connection or a callback.
struct GraphInteraction: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case node(AUNode, output: UInt32)
        case callback(GraphCallback)
    }

    var node: AUNode
    var input: UInt32
    var source: Source

    /// The node that provides the audio; nil for a callback.
    var sourceNode: AUNode? {
        if case .node(let number, _) = source { number } else { nil }
    }

    func isAt(_ node: AUNode, _ input: UInt32) -> Bool { self.node == node && self.input == input }

    var published: AUNodeInteraction {
        var result = unsafe AUNodeInteraction()
        switch source {
        case .node(let number, let output):
            unsafe result.nodeInteractionType = kAUNodeInteraction_Connection
            unsafe result.nodeInteraction.connection = AUNodeConnection(
                sourceNode: number, sourceOutputNumber: output, destNode: node, destInputNumber: input)
        case .callback(let callback):
            unsafe result.nodeInteractionType = kAUNodeInteraction_InputCallback
            unsafe result.nodeInteraction.inputCallback.destNode = node
            unsafe result.nodeInteraction.inputCallback.destInputNumber = input
            unsafe withUnsafeMutableBytes(of: &result.nodeInteraction.inputCallback.cback) { bytes in
                unsafe bytes.storeBytes(of: callback, as: GraphCallback.self)
            }
        }
        return unsafe result
    }
}

/// The addresses of a procedure and its context, in the order of an `AURenderCallbackStruct`.
struct GraphCallback: Equatable, Sendable, BitwiseCopyable {
    /// The address of the procedure; 0 for NULL.
    let procedure: UInt
    let context: UInt

    init(_ callback: AURenderCallbackStruct) {
        self = unsafe withUnsafeBytes(of: callback) { bytes in
            // SAFETY: both are two pointers, and any bits are addresses.
            unsafe bytes.loadUnaligned(as: GraphCallback.self)
        }
    }

    init(_ procedure: AURenderCallback, _ context: UnsafeMutableRawPointer?) {
        self.procedure = unsafe unsafeBitCast(procedure, to: UInt.self)
        self.context = UInt(bitPattern: context)
    }
}
