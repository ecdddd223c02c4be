// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The settings of a file requested from ``AudioFileWriter``: a valid format, and a label for each channel if there are
/// labels.
struct FileOrder {
    var path: FilePath
    var format: AudioStreamBasicDescription
    var channelLabels: [AudioChannelLabel]?
    var overwrite: Bool
    var bitRate: Int?
    /// The expected number of packets, which may be wrong; nil if unknown.
    var expectedPackets: Int64?
    /// Whether the file will not be read before it is closed.
    var isWholeOrNothing = false

    /// Checks that the file type supports the format, then creates the file.
    func makeWriter(of type: AudioFileType) throws(AudioFileError) -> any PacketWriter {
        switch type {
        case .wave:
            try begin { (samples) throws(AudioFileError) in try WaveContainer(samples, isRF64: false) }
        case .rf64: try begin { (samples) throws(AudioFileError) in try WaveContainer(samples, isRF64: true) }
        case .aiff, .aiffC:
            try begin { (samples) throws(AudioFileError) in try AIFFContainer(samples, type: type) }
        case .caf where !format.isLinearPCM: try CAFPacketWriter.make(self)
        case .caf: try begin { (samples) throws(AudioFileError) in try CAFContainer(samples) }
        case .wave64: try begin { (samples) throws(AudioFileError) in try Wave64Container(samples) }
        case .mp3 where !format.isLinearPCM: try MPEGPacketWriter.make(self)
        case .mp3: try MP3FileWriter.make(self)
        case .flac: try FLACFileWriter.make(self)
        case .adts: try ADTSPacketWriter.make(self)
        case .m4a: try MP4PacketWriter.make(self)
        case .oggVorbis, .oggOpus: try OggFileWriter.make(self, of: type)
        }
    }

    private func begin<Container: PCMContainer>(
        _ make: (PCMSamples) throws(AudioFileError) -> Container
    ) throws(AudioFileError) -> any PacketWriter {
        let samples = try PCMSamples(format, labels: channelLabels)
        let container = try make(samples)
        return try createFile { (file) throws(AudioFileError) in
            try PCMFileWriter(container, to: file, frameBytes: samples.frameBytes)
        }
    }

    /// The number of packets to reserve room for ahead of the audio; nil for no room.
    ///
    /// The number is slightly larger than expected, because encoders add packets.
    var packetsToHaveRoomFor: Int64? {
        guard let expectedPackets, 1...Self.mostExpectedPackets ~= expectedPackets else { return nil }
        return expectedPackets + expectedPackets / 64 + 16
    }

    /// The largest expected number (hours of audio) for which room is reserved, because a wrong number wastes room.
    private static let mostExpectedPackets: Int64 = 1 << 20

    /// Creates the file and starts its writer; after a failure no new file is left behind.
    func createFile(
        _ make: (OutputFile) throws(AudioFileError) -> any PacketWriter
    ) throws(AudioFileError) -> any PacketWriter {
        let file = try OutputFile(path: path, overwrite: overwrite)
        do throws(AudioFileError) {
            return try make(file)
        } catch {
            file.discard()
            throw error
        }
    }
}
