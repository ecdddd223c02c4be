// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// RIFF WAVE, and RF64 of EBU Tech 3306, whose 64-bit lengths replace a padding chunk of WAVE.
struct WaveContainer: ChunkContainer {
    var layout: ChunkLayout
    private let isAlwaysLarge: Bool
    private let frameBytes: Int64
    /// The offset of the frame count in 'fact'; nil if there is none.
    private let factOffset: Int?

    init(_ samples: PCMSamples, isRF64: Bool) throws(AudioFileError) {
        let grammar = ChunkGrammar.riff(isBigEndian: false)
        let format = try WaveFormatChunk.contents(for: samples, in: isRF64 ? .rf64 : .wave)
        var header = HeaderBytes()
        header.append("RIFF")
        header.append(little: UInt32(0))
        header.append("WAVEJUNK")
        header.append(little: UInt32(Self.largeSizesBytes))
        header.append(raw: [UInt8](repeating: 0, count: Self.largeSizesBytes))
        header.append(raw: grammar.bytes(of: [AudioFileChunkContents("fmt ", format.bytes)]))
        // All forms except the simplest have a frame count.
        if format.count > WaveFormatChunk.plainBytes {
            header.append("fact")
            header.append(little: UInt32(4))
            factOffset = header.count
            header.append(little: UInt32(0))
        } else {
            factOffset = nil
        }
        layout = ChunkLayout(
            grammar, lead: header, soundHeader: grammar.header(grammar.sound, contentsBytes: 0))
        isAlwaysLarge = isRF64
        frameBytes = Int64(samples.frameBytes)
    }

    var renewedBytes: Range<Int> { 0..<header.count }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        let frames = dataBytes / frameBytes
        let riffBytes = Int64(header.count - 8) + dataBytes + Int64(trailerBytes)
        // The highest number means that the length is elsewhere.
        guard isAlwaysLarge || riffBytes >= UInt32.max else {
            set(riff: UInt32(riffBytes), data: UInt32(dataBytes), frames: UInt32(frames), in: &header)
            return
        }
        set(riff: .max, data: .max, frames: UInt32(clamping: frames), in: &header)
        setLarge(riff: riffBytes, data: dataBytes, frames: frames, in: &header)
    }

    func leaveOpen(_ header: inout HeaderBytes) {
        set(riff: .max, data: .max, frames: .max, in: &header)
        if isAlwaysLarge {
            setLarge(
                riff: Self.openBytes, data: Self.openBytes, frames: Self.openBytes / frameBytes, in: &header)
        }
    }

    func textChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [AudioFileChunkContents]? {
        try ChunkMetadata.waveChunks(metadata)
    }

    private func set(riff: UInt32, data: UInt32, frames: UInt32, in header: inout HeaderBytes) {
        header.set(little: riff, at: 4)
        header.set(little: data, at: header.count - 4)
        if let factOffset { header.set(little: frames, at: factOffset) }
    }

    private func setLarge(riff: Int64, data: Int64, frames: Int64, in header: inout HeaderBytes) {
        header.set("RF64", at: 0)
        header.set("ds64", at: Self.largeSizesOffset - 8)
        header.set(little: riff, at: Self.largeSizesOffset)
        header.set(little: data, at: Self.largeSizesOffset + 8)
        header.set(little: frames, at: Self.largeSizesOffset + 16)
    }

    /// The size of `ds64` in bytes: three lengths, and an empty table for other chunks.
    private static let largeSizesBytes = 28
    private static let largeSizesOffset = 20
    /// The length of open audio, with which readers can do arithmetic and seek.
    private static let openBytes = PlaceholderLength.large
}
