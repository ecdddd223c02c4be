import CoreAudioTypes

/// What a file is to be, as ``AudioFileWriter`` was asked for it: a valid format, and a label for each channel
/// if there are labels.
struct FileOrder {
    var path: String
    var format: AudioStreamBasicDescription
    var channelLabels: [AudioChannelLabel]?
    var overwrite: Bool
    var bitRate: Int?

    /// Checks that the kind of file can hold the format, then creates it.
    func makeWriter(of type: AudioFileType) throws(AudioFileError) -> any PacketWriter {
        switch type {
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64:
            throw AudioFileError(.unsupported, "\(type.name) is not supported")
        case .mp3, .flac:
            throw AudioFileError(.unsupported, "\(type.name) is not supported")
        }
    }

    /// Creates the file and has its writer begin; what fails then leaves no file that was not there.
    func begin<Writer: PacketWriter>(
        _ make: (OutputFile) throws(AudioFileError) -> Writer
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
