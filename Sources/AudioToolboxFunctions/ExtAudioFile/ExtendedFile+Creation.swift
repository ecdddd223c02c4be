import AudioCodecs
import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// How files are created that are written through a converter.
extension ExtendedFile {
    /// True for a lossless format that does not say how many bits its samples have.
    static func isDepthOpen(in format: AudioStreamBasicDescription) -> Bool {
        format.mFormatID == kAudioFormatAppleLossless && format.mFormatFlags == 0
    }

    /// Creates a file, in a format of which the encoder completes what is left open.
    ///
    /// - Throws: The results of the encoder and of Audio File Services.
    static func create(
        _ creation: Creation, _ format: AudioStreamBasicDescription
    ) throws(StatusError) -> (FileAccess, AudioStreamBasicDescription) {
        var format = format
        if !format.isLinearPCM {
            do throws(CodecError) { format = try makePacketEncoder(for: format).outputFormat } catch {
                throw StatusError(error.status)
            }
        }
        var handle: AudioFileID?
        try StatusError.check(
            unsafe audioFileCreateWithURL(
                creation.url, creation.fileType, &format, creation.flags, &handle))
        guard let handle = unsafe handle else { throw StatusError(kAudioFileUnspecifiedError) }
        let file = unsafe FileAccess(handle: handle)
        guard let labels = creation.channelLabels else { return (file, format) }
        do throws(StatusError) {
            try Self.setChannelLabels(labels, of: file)
        } catch {
            unsafe _ = audioFileClose(handle)
            throw error
        }
        return (file, format)
    }

    /// Tells a file what its channels are for. That they are the usual ones it need not be able to say, and nothing of
    /// packets that an encoder makes: their order is its own, to which the client's is brought.
    static func setChannelLabels(
        _ labels: [AudioChannelLabel], of file: FileAccess
    ) throws(StatusError) {
        try file.write { (output) throws(StatusError) in
            do throws(StatusError) { try output.setChannelLabels(labels) } catch {
                let isUsual = labels == ChannelLabels.defaults(channels: labels.count)
                guard isUsual || !output.format.isLinearPCM,
                    error.status == kAudioFileUnsupportedPropertyError
                else { throw error }
            }
        }
    }
}
