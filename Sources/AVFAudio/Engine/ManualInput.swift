// SPDX-License-Identifier: MIT

import AQGraphs
import CoreAudioTypes
import Foundation

/// The client's block that provides the input of manual rendering.
@safe final class ManualInput: @unchecked Sendable {
    // SAFETY: the thread that renders uses it.
    private let block: AVAudioIONodeInputBlock
    private let format: AudioStreamBasicDescription
    /// Whether the block had too few frames since the last ``begin()``.
    private(set) var hasLacked = false

    init(_ block: @escaping AVAudioIONodeInputBlock, _ format: AVAudioFormat) {
        unsafe self.block = unsafe block
        self.format = format.asbd
    }

    func begin() { hasLacked = false }

    /// Fills a slice; what is missing is silent.
    func read(_ target: PlanarSamples) -> Bool {
        guard let list = unsafe block(UInt32(target.frames)) else { return lack(target) }
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        guard unsafe buffers.count > 0, let reader = unsafe SampleReader(format, buffers) else {
            return lack(target)
        }
        let frames = unsafe Int(buffers[0].mDataByteSize) / max(1, Int(format.mBytesPerFrame))
        let count = min(frames, target.frames)
        reader.read(from: 0, into: target.prefix(count))
        if count < target.frames { _ = lack(target.dropFirst(count)) }
        return count > 0
    }

    private func lack(_ target: PlanarSamples) -> Bool {
        target.silence()
        hasLacked = true
        return false
    }
}
