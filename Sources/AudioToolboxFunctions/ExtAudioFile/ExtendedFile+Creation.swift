// SPDX-License-Identifier: MIT

import AudioCodecs
import AudioFiles
import CAudioToolbox
import CoreAudioTypes

extension ExtendedFile {
    /// Returns whether a format is lossless, and does not state its bit depth.
    static func isDepthOpen(in format: AudioStreamBasicDescription) -> Bool {
        format.mFormatID == kAudioFormatAppleLossless && format.mFormatFlags == 0
    }

    /// Returns a format whose unspecified fields the encoder completes.
    static func completed(
        _ format: AudioStreamBasicDescription
    ) throws(StatusError) -> AudioStreamBasicDescription {
        guard !format.isLinearPCM else { return format }
        do throws(CodecError) { return try makePacketEncoder(for: format).outputFormat } catch {
            throw StatusError(error)
        }
    }

    /// Creates a file, in a format whose unspecified fields the encoder completes.
    ///
    /// - Throws: The results of the encoder and of Audio File Services.
    static func create(
        _ creation: Creation, _ format: AudioStreamBasicDescription
    ) throws(StatusError) -> (FileAccess, AudioStreamBasicDescription) {
        var format = try completed(format)
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

    /// Sets the use of a file's channels.
    ///
    /// The usual order is accepted even if the file cannot store it. For packets of an encoder nothing is set:
    /// their order is the encoder's own, and the client's frames are reordered.
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
