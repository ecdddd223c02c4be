// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// A file's chunks, whose contents the published API calls user data.
extension AudioFileSession {
    /// The contents of a chunk, in the file or still to be written.
    struct ChunkContents {
        let offset: Int64
        let byteCount: Int64
        /// The contents of a chunk that is still to be written; nil if the chunk is in the file.
        var waiting: [UInt8]?
    }

    /// The types of the file's chunks in their order, without chunks inside a chunk.
    func chunkIDs() throws(StatusError) -> [UInt32] {
        try reader().chunks.filter { $0.depth == 0 }.map(\.type.rawValue) + (output?.late.newTypes ?? [])
    }

    /// The number of chunks of a type.
    ///
    /// - Throws: `kAudioFileOperationNotSupportedError` for file types that do not consist of chunks.
    func countChunks(_ type: UInt32) throws(StatusError) -> Int {
        try chunks(type).count
    }

    /// The contents of one of the chunks of a type.
    ///
    /// - Throws: `kAudioFileInvalidChunkError` if there is no such chunk, otherwise as ``countChunks(_:)``.
    func chunk(_ type: UInt32, index: UInt32) throws(StatusError) -> ChunkContents {
        let found = try chunks(type)
        guard Int(index) < found.count else { throw StatusError(kAudioFileInvalidChunkError) }
        return found[Int(index)]
    }

    /// Reads a part of a chunk's contents; fewer bytes only at the end of the contents.
    func read(
        _ chunk: ChunkContents, at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(StatusError) -> Int {
        guard let storedBytes else { throw StatusError(kAudioFileOperationNotSupportedError) }
        guard offset >= 0, offset <= chunk.byteCount else { throw StatusError(kAudioFilePositionError) }
        let count = Int(min(Int64(memory.count), chunk.byteCount - offset))
        if let waiting = chunk.waiting {
            unsafe memory.copyBytes(from: waiting[Int(offset)..<Int(offset) + count])
            return count
        }
        return try unsafe storedBytes.read(
            at: chunk.offset + offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    /// The chunks of a type, with the client's changes.
    private func chunks(_ type: UInt32) throws(StatusError) -> [ChunkContents] {
        let stored = try storedChunks(type)
        guard let entries = output?.late.entries(of: type) else { return stored }
        return entries.compactMap { entry in
            if let contents = entry.contents {
                return ChunkContents(offset: 0, byteCount: Int64(contents.count), waiting: contents)
            }
            return entry.stored.flatMap { stored.indices ~= $0 ? stored[$0] : nil }
        }
    }

    /// The chunks of a type that are in the file.
    func storedChunks(_ type: UInt32) throws(StatusError) -> [ChunkContents] {
        guard let storedBytes else { throw StatusError(kAudioFileOperationNotSupportedError) }
        let file = try reader()
        guard let fileType = AudioFileKind.type(of: file), let headerBytes = Self.headerBytes(of: fileType)
        else { throw StatusError(kAudioFileOperationNotSupportedError) }
        let fileBytes = storedBytes.byteCount
        return file.chunks.filter { $0.depth == 0 && $0.type.rawValue == type }.map { chunk in
            // An ID3 tag in front of the file has a header of another size.
            let isLeadingTag = chunk.offset == 0
            let offset = chunk.offset + (isLeadingTag ? Self.tagHeaderBytes : headerBytes)
            // A chunk's size may exceed the file.
            let left = max(fileBytes - offset, 0)
            return ChunkContents(offset: offset, byteCount: min(max(chunk.byteCount, 0), left))
        }
    }

    /// The size of a chunk's header in bytes; nil for file types that do not consist of chunks.
    private static func headerBytes(of type: AudioFileTypeID) -> Int64? {
        switch type {
        case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileAIFFType,
            kAudioFileAIFCType:
            8
        case kAudioFileCAFType: 12
        case kAudioFileWave64Type: 24
        default: nil
        }
    }

    private static let tagHeaderBytes: Int64 = 10
}
