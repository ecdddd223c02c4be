// SPDX-License-Identifier: MIT

/// The position at which an extended file is read or written.
struct TransferPosition {
    /// The file's frame from which ``clientFrames`` are counted.
    private(set) var startFrame: Int64 = 0
    /// The number of the client's frames that were read or written since ``startFrame``.
    private(set) var clientFrames: Int64 = 0
    /// Whether the converter still has to be set to ``startFrame``.
    private(set) var needsBeginning = true
    /// The packet of the file that is read next.
    private(set) var nextPacket: Int64 = 0

    /// Starts the count at a frame, at which the converter still has to begin.
    mutating func begin(at frame: Int64) {
        (startFrame, clientFrames, needsBeginning) = (frame, 0, true)
    }

    /// Records that the converter was set to ``startFrame``.
    mutating func didBegin(atPacket packet: Int64) { (nextPacket, needsBeginning) = (packet, false) }

    mutating func didTransfer(frames: Int) { clientFrames += Int64(frames) }

    mutating func didRead(packets: Int) { nextPacket += Int64(packets) }

    /// Records that the converter was released.
    mutating func end() { needsBeginning = true }

    /// The next frame, at the file's rate; nil if its number overflows.
    func frame(fileRate: Double, clientRate: Double) -> Int64? {
        guard clientFrames > 0, clientRate > 0 else { return startFrame }
        let exact = Double(clientFrames) * fileRate / clientRate
        let (sum, overflow) = startFrame.addingReportingOverflow(Int64(exactly: exact.rounded()) ?? .max)
        return overflow ? nil : sum
    }
}
