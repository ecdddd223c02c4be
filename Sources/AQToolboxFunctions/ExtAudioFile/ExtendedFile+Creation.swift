// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension ExtendedFile {
    /// A new file, and the format of its audio.
    struct Created {
        var file: FileAccess
        var format: AudioStreamBasicDescription
        /// The encoding of a file whose writer encodes.
        var encoding: FileEncoding?
    }

    /// Returns whether a format is lossless, and does not state its bit depth.
    static func isDepthOpen(in format: AudioStreamBasicDescription) -> Bool {
        [kAudioFormatAppleLossless, kAudioFormatFLAC].contains(format.mFormatID) && format.mFormatFlags == 0
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

    /// Returns the complete format of the postponed file, at the client's rate or the encoder's nearest rate.
    ///
    /// - Throws: The errors of the encoder.
    func newFileFormat(clientRate: Double) throws(StatusError) -> AudioStreamBasicDescription {
        guard clientRate > 0 else { throw StatusError(kAudioConverterErr_FormatNotSupported) }
        var format = fileFormat
        format.mSampleRate = clientRate
        if let creation, let encoding = try FileEncoding(creation.fileType, format) {
            format.mSampleRate = encoding.type.storedSampleRate(of: clientRate)
            return format
        }
        // Formats that cannot be encoded are refused below.
        let ranges = (try? CodecFacts.encodedSampleRates(of: format.mFormatID)) ?? []
        let rates = ranges.map { min(max(clientRate, $0.mMinimum), $0.mMaximum) }
        format.mSampleRate = rates.min { abs($0 - clientRate) < abs($1 - clientRate) } ?? clientRate
        return try Self.completed(format)
    }

    /// Creates a file, in a format whose unspecified fields the encoder completes.
    ///
    /// - Throws: The results of the encoder and of Audio File Services.
    static func create(
        _ creation: Creation, _ format: AudioStreamBasicDescription
    ) throws(StatusError) -> Created {
        let encoding = try FileEncoding(creation.fileType, format)
        if let encoding {
            // The client's frames are in the encoder's order.
            return Created(
                file: try create(creation, encoding), format: encoding.format, encoding: encoding)
        }
        var format = try completed(format)
        var handle: AudioFileID?
        try StatusError.check(
            unsafe audioFileCreateWithURL(
                creation.url, creation.fileType, &format, creation.flags, &handle))
        guard let handle = unsafe handle else { throw StatusError(kAudioFileUnspecifiedError) }
        let created = Created(file: unsafe FileAccess(handle: handle), format: format)
        guard let labels = creation.channelLabels else { return created }
        do throws(StatusError) {
            try Self.setChannelLabels(labels, of: created.file)
        } catch {
            unsafe _ = audioFileClose(handle)
            throw error
        }
        return created
    }

    /// Creates a file whose writer encodes.
    private static func create(
        _ creation: Creation, _ encoding: FileEncoding
    ) throws(StatusError) -> FileAccess {
        guard let path = AudioFileObject.path(of: creation.url) else {
            throw StatusError(kAudio_BadFilePathError)
        }
        let output = try AudioFileOutput(
            path: path, fileType: creation.fileType, format: encoding.samples(of: encoding.format),
            overwrite: creation.flags & AudioFileFlags.eraseFile.rawValue != 0, encodedType: encoding.type)
        guard let handle = unsafe audioFiles.insert(AudioFileSession(writing: output)) else {
            throw StatusError(kAudio_MemFullError)
        }
        return unsafe FileAccess(handle: handle)
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
