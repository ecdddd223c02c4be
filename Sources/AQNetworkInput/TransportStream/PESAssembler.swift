// SPDX-License-Identifier: MIT

/// Joins the PES packets of one stream (ISO/IEC 13818-1, 2.4.3.6), and returns their contents.
///
/// A PES packet is held until it is complete, because a damaged one is dropped as a whole. If it states no length, it is
/// complete when the next one begins, and is returned in parts if it is longer than ``mostHeldBytes``.
struct PESAssembler {
    /// The number of PES packets that were dropped in whole or in part.
    private(set) var droppedPackets = 0

    /// The contents of the current packet, or its header while that is incomplete.
    private var held: [UInt8] = []
    private var state = State.waiting

    private enum State {
        /// Nothing is read before the next PES packet.
        case waiting
        case header
        /// - Parameter bytesLeft: The size of the missing contents; nil if the header states none.
        case contents(bytesLeft: Int?)
    }

    /// The number of bytes of a packet without stated length that are held.
    static let mostHeldBytes = 1 << 18

    var heldBytes: Int { held.count }

    /// Begins a PES packet, and returns the contents of the previous one if it had no stated length.
    mutating func begin(into output: inout [UInt8]) {
        finish(into: &output)
        state = .header
    }

    mutating func append(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        switch state {
        case .waiting: return
        case .header:
            held += bytes
            readHeader(into: &output)
        case .contents(let bytesLeft): appendContents(bytes, bytesLeft: bytesLeft, into: &output)
        }
    }

    /// Ends the current packet: returns its contents if it has no stated length, and drops it otherwise.
    mutating func finish(into output: inout [UInt8]) {
        if case .contents(nil) = state {
            output += held
            held = []
            state = .waiting
        }
        drop()
    }

    /// Drops the current packet.
    mutating func drop() {
        if case .waiting = state { return }
        droppedPackets += 1
        held = []
        state = .waiting
    }

    private mutating func readHeader(into output: inout [UInt8]) {
        guard held.count >= 9 else { return }
        let packetBytes = Int(held[4]) << 8 | Int(held[5])
        let headerBytes = 9 + Int(held[8])
        let isComplete = packetBytes == 0 || 6 + packetBytes >= headerBytes
        // The mark of a packet with these fields, which is not scrambled.
        guard held.starts(with: [0, 0, 1]), held[6] & 0xF0 == 0x80, isComplete else { return drop() }
        guard held.count >= headerBytes else { return }
        let contents = held[headerBytes...]
        held = []
        appendContents(
            contents, bytesLeft: packetBytes == 0 ? nil : 6 + packetBytes - headerBytes, into: &output)
    }

    private mutating func appendContents(
        _ bytes: ArraySlice<UInt8>, bytesLeft: Int?, into output: inout [UInt8]
    ) {
        let part = bytes.prefix(bytesLeft ?? bytes.count)
        held += part
        let left = bytesLeft.map { $0 - part.count }
        if left == 0 || left == nil && held.count >= Self.mostHeldBytes {
            output += held
            held = []
        }
        // Bytes after the end of the packet are padding.
        state = left == 0 ? .waiting : .contents(bytesLeft: left)
    }
}
