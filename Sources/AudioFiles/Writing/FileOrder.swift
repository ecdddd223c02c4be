import CoreAudioTypes

/// What a file is to be, as ``AudioFileWriter`` was asked for it: a valid format, and a label for each channel
/// if there are labels.
struct FileOrder {
    var path: FilePath
    var format: AudioStreamBasicDescription
    var channelLabels: [AudioChannelLabel]?
    var overwrite: Bool
    var bitRate: Int?
    /// How many packets will come, as far as that is known. It may be wrong.
    var expectedPackets: Int64?
    /// True if nobody will read the file unless it was closed.
    var isWholeOrNothing = false

    /// Checks that the kind of file can hold the format, then creates it.
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
        case .mp3, .flac: try SndFileWriter.make(self, type: type)
        case .adts: try ADTSPacketWriter.make(self)
        case .m4a: try MP4PacketWriter.make(self)
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

    /// The packets to have room for ahead of them; nil to leave none.
    ///
    /// Somewhat more than expected, for encoders add some of their own.
    var packetsToHaveRoomFor: Int64? {
        guard let expectedPackets, 1...Self.mostExpectedPackets ~= expectedPackets else { return nil }
        return expectedPackets + expectedPackets / 64 + 16
    }

    /// For more, which play for hours, the table stands last: that bounds the room that a wrong number wastes.
    private static let mostExpectedPackets: Int64 = 1 << 20

    /// Creates the file and has its writer begin; what fails then leaves no file that was not there.
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
