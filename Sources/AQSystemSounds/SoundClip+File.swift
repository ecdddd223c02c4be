// SPDX-License-Identifier: MIT

import AQCodecs
package import AQFiles
import CoreAudioTypes
import Glibc

extension SoundClip {
    /// The file types of clips, by their names in `AQFiles`.
    private static let containers: Set<String> = ["WAVE", "AIFF", "AIFF-C", "CAF"]
    /// The limit of a clip's memory: 30 s of 16 channels at 96 kHz, with 32 bits.
    private static let mostBytes = 192 << 20
    /// The size of a read, unless a single packet is larger.
    private static let readBytes = 64 << 10

    /// Decodes a WAVE, AIFF, AIFF-C or CAF file of linear PCM or IMA 4:1.
    ///
    /// Waits for the disk. Anything but a regular file is refused, because a pipe might never end.
    ///
    /// - Throws: ``SoundClipError``.
    package init(contentsOf path: FilePath) throws(SoundClipError) {
        guard Self.isRegularFile(path) else { throw .unreadable }
        do {
            let file = try AudioFile.open(path: path)
            let isSupported = file.format.isLinearPCM || file.format.mFormatID == kAudioFormatAppleIMA4
            guard Self.containers.contains(file.containerName), isSupported else {
                throw SoundClipError.unreadable
            }
            let decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
            let bytes = try Self.decode(file, by: decoder)
            self.init(format: decoder.outputFormat, channelLabels: file.channelLabels, bytes: bytes)
        } catch let error as SoundClipError {
            throw error
        } catch {
            throw .unreadable
        }
    }

    private static func isRegularFile(_ path: FilePath) -> Bool {
        var status = stat()
        guard unsafe stat(path.cString, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Decodes the valid frames of a file.
    private static func decode(_ file: AudioFile, by decoder: any PacketDecoder) throws -> [UInt8] {
        let format = decoder.outputFormat
        let frames = try file.countFrames()
        guard Double(frames) <= longestSeconds * format.mSampleRate else { throw SoundClipError.tooLong }
        let frameBytes = Int(format.mBytesPerFrame)
        let priming = max(0, file.primingFrames)
        // Both numbers are from the file.
        let (all, isHuge) = Int(clamping: max(0, frames)).addingReportingOverflow(Int(clamping: priming))
        let (allBytes, isHuger) = all.multipliedReportingOverflow(by: frameBytes)
        guard !isHuge, !isHuger, allBytes <= mostBytes else { throw SoundClipError.unreadable }

        let packetBytes = max(1, Int(decoder.inputFormat.mBytesPerPacket))
        let packets = max(1, readBytes / packetBytes)
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: packets * packetBytes, alignment: 16)
        defer { unsafe input.deallocate() }
        let room = packets * decoder.maximumFramesPerPacket * frameBytes
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { unsafe output.deallocate() }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(allBytes)
        var packet: Int64 = 0
        while decoded.count < allBytes {
            let read = try unsafe file.readPackets(
                from: packet, into: input, descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
            guard read.packets > 0 else { break }
            packet += Int64(read.packets)
            let produced = try unsafe decoder.decode(
                UnsafeRawBufferPointer(rebasing: input[..<read.bytes]), into: output)
            unsafe decoded.append(contentsOf: output.prefix(produced * frameBytes))
        }
        return Array(decoded.prefix(allBytes).dropFirst(Int(priming) * frameBytes))
    }
}
