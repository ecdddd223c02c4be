// SPDX-License-Identifier: MIT

/// The frames of a buffer in memory, which are read when they are rendered.
package final class BufferContent: PlayContent {
    private let reader: SampleReader
    private let frames: Int
    /// The owner of the memory.
    private let owner: any Sendable

    /// - Parameter owner: Keeps the memory alive.
    package init(_ reader: SampleReader, frames: Int, owner: any Sendable) {
        self.reader = reader
        self.frames = frames
        self.owner = owner
    }

    package var length: Int64? { Int64(frames) }

    package func read(from position: Int64, into target: PlanarSamples, _ call: RenderCall) -> Int {
        let count = min(target.frames, frames - Int(position))
        reader.read(from: Int(position), into: target.prefix(count))
        return count
    }
}
