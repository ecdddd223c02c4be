// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The object of an `ExtAudioFileRef`: an audio file, and a converter between its format and its client's.
///
/// Calls for one file wait for each other, except those that pass frames to the writing thread.
final class ExtendedFile: @unchecked Sendable {
    // SAFETY: all variable state is accessed only inside `answer`, under the gate, or by the thread that makes the
    // object, before the object is in the table; the writing thread has a lock of its own.

    static let handles = HandleTable<ExtendedFile>()

    /// The settings of a file that is created when its sample rate is known.
    struct Creation {
        var url: CFURL
        var fileType: AudioFileTypeID
        var flags: UInt32
        var channelLabels: [AudioChannelLabel]?
    }

    let isWriting: Bool
    /// Whether this object closes the file; false for a wrapped file, which its owner closes.
    let ownsFile: Bool
    /// The file; nil before it is created, while ``creation`` is not nil.
    private(set) var file: FileAccess?
    private(set) var creation: Creation?
    private(set) var fileFormat: AudioStreamBasicDescription
    /// The encoding of a file whose writer encodes samples.
    private(set) var encoding: FileEncoding?
    /// Whether a lossless file was created without a bit depth: the depth is then that of the client's samples,
    /// or of the converter's setting.
    let isDepthOpen: Bool
    /// The use of the file's channels, if the client has set it.
    var fileLabels: [AudioChannelLabel]?

    /// The client's format; nil until it is set. For a file of linear PCM the first transfer sets the file's
    /// format.
    private(set) var clientFormat: AudioStreamBasicDescription?
    private(set) var clientLabels: [AudioChannelLabel]?
    var codecManufacturer = kAppleSoftwareAudioCodecManufacturer
    private(set) var conversion = ClientConverter()
    let transfer = TransferBuffer()

    /// The numbers of frames before and after the audio; nil for the file's own numbers.
    var primingOverride: Int64?
    var remainderOverride: Int64?

    var transferPosition = TransferPosition()
    /// Whether packets may have been written to the file.
    var isStarted = false
    /// The error that ended the writing; nil if there was none.
    var writingFailure: (any Error)?

    private let gate = Monitor(())
    /// The writing thread, from the first asynchronous write on.
    let asyncWriter = Monitor<AsyncFileWriter?>(nil)

    /// Wraps an open file.
    ///
    /// - Throws: The result of Audio File Services.
    init(
        file: FileAccess, isWriting: Bool, ownsFile: Bool, encoding: FileEncoding? = nil,
        isDepthOpen: Bool = false
    ) throws(StatusError) {
        self.file = file
        self.encoding = encoding
        self.isDepthOpen = isDepthOpen
        self.isWriting = isWriting
        self.ownsFile = ownsFile
        if let encoding {
            fileFormat = encoding.format
        } else if isWriting {
            fileFormat = try file.write { (output) throws(StatusError) in output.format }
        } else {
            fileFormat = try file.read { (file) throws(AudioFileError) in file.format }
        }
    }

    /// Keeps the settings of a file that is created when the client's format is known.
    init(creating creation: Creation, format: AudioStreamBasicDescription) {
        self.creation = creation
        fileFormat = format
        isDepthOpen = Self.isDepthOpen(in: format)
        isWriting = true
        ownsFile = true
    }

    /// The file, if it exists.
    ///
    /// - Throws: `kExtAudioFileError_InvalidOperationOrder` if the file has not been created.
    func openFile() throws(StatusError) -> FileAccess {
        guard let file else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        return file
    }

    // MARK: The client's side

    /// Sets the format that the client reads or writes, and makes the converter, then a file whose creation was
    /// postponed.
    ///
    /// - Throws: `kExtAudioFileError_NonPCMClientFormat`, `kExtAudioFileError_InvalidOperationOrder` after
    ///   the first write; the converter's errors for the formats; the errors of creating the file.
    func setClientFormat(_ format: AudioStreamBasicDescription) throws(StatusError) {
        guard format.isLinearPCM else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
        guard !isWriting || !isStarted && asyncWriter.withLock({ $0 == nil }) else {
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
        let position = try self.position()
        // After an error a postponed file does not exist, and another client format can be set.
        let fileFormat = try creation == nil ? fileFormat : newFileFormat(clientRate: format.mSampleRate)
        var encoding = encoding
        if let creation { encoding = try FileEncoding(creation.fileType, fileFormat) }
        if !fileFormat.isLinearPCM, codecManufacturer == kAppleHardwareAudioCodecManufacturer {
            throw StatusError(kAudioConverterErr_FormatNotSupported)
        }
        var request =
            isWriting
            ? ConverterRequest(from: format, to: encoding?.samples(of: format) ?? fileFormat)
            : ConverterRequest(from: fileFormat, to: format)
        request.fileEncoding = encoding
        if isDepthOpen, encoding == nil { request.output.mFormatFlags = 0 }
        if !isWriting {
            request.magicCookie = try openFile().read { (file) throws(AudioFileError) in file.magicCookie }
        }
        let made: ConverterObject
        do throws(CodecError) { made = try ConverterObject(request) } catch { throw StatusError(error) }
        if let creation {
            let created = try Self.create(creation, fileFormat)
            (file, self.fileFormat, self.encoding) = (created.file, created.format, created.encoding)
            self.creation = nil
        }
        try adoptSettings(of: made)
        conversion.replace(with: made)
        // A rate or a number of channels of 0 was replaced by the file's.
        clientFormat = isWriting ? format : made.outputFormat
        clientLabels = nil
        transferPosition.begin(at: position)
    }

    /// Sets the bit depth of a file without packets to the converter's, if the client has not set a depth, and the bit
    /// rate of a file whose writer encodes.
    ///
    /// - Throws: The results of Audio File Services; `kAudioConverterErr_FormatNotSupported` if the client has changed the
    ///   samples of a file whose writer encodes.
    func adoptSettings(of converter: ConverterObject) throws(StatusError) {
        if var encoding {
            guard !isStarted else { return }
            let samples = encoding.samples(of: converter.inputFormat)
            let bitRate = converter.request.settings.bitRate
            guard converter.outputFormat.isSame(as: samples) else {
                throw StatusError(kAudioConverterErr_FormatNotSupported)
            }
            try openFile().write { (output) throws(StatusError) in
                guard !samples.isSame(as: output.format) || bitRate != output.settings.bitRate else { return }
                try output.setFormat(samples, bitRate: bitRate)
            }
            encoding.adoptDepth(of: samples)
            (self.encoding, fileFormat) = (encoding, encoding.format)
            return
        }
        var format = fileFormat
        format.mFormatFlags = converter.outputFormat.mFormatFlags
        guard isDepthOpen, !isStarted, !format.isSame(as: fileFormat) else { return }
        try openFile().write { (output) throws(StatusError) in try output.setFormat(format) }
        fileFormat = format
    }

    /// Sets the use of the client's channels.
    ///
    /// - Throws: `kExtAudioFileError_InvalidOperationOrder` before the client's format is set,
    ///   `kExtAudioFileError_InvalidChannelMap` for another number of channels.
    func setClientLabels(_ labels: [AudioChannelLabel]) throws(StatusError) {
        guard let converter, let clientFormat, !isWriting || !isStarted else {
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
        guard labels.count == Int(clientFormat.mChannelsPerFrame) else {
            throw StatusError(kExtAudioFileError_InvalidChannelMap)
        }
        let coded = try codedLabels()
        let position = try self.position()
        try converter.change {
            $0.inputLabels = isWriting ? labels : coded
            $0.outputLabels = isWriting ? coded : labels
        }
        clientLabels = labels
        if !isWriting { transferPosition.begin(at: position) }
    }

    /// The converter, which is made now if the client of a linear PCM file has not set a format.
    ///
    /// - Throws: `kExtAudioFileError_NonPCMClientFormat` for other files.
    func readyConverter() throws(StatusError) -> ConverterObject {
        if converter == nil { try setClientFormat(fileFormat) }
        guard let converter else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        return converter
    }

    /// The use of the file's channels, in the converter's order: codecs have an order of their own.
    private func codedLabels() throws(StatusError) -> [AudioChannelLabel]? {
        if let encoding { return encoding.type.fixedChannelLabels(of: encoding.format) }
        if let labels = DecodedChannelOrder.labels(
            of: fileFormat, magicCookie: converter?.request.magicCookie ?? [])
        {
            return labels
        }
        return try channelLabels()
    }

    /// The use of the file's channels, in the file's order.
    func channelLabels() throws(StatusError) -> [AudioChannelLabel] {
        if let fileLabels { return fileLabels }
        if isWriting { return ChannelLabels.defaults(channels: Int(fileFormat.mChannelsPerFrame)) }
        return try openFile().read { (file) throws(AudioFileError) in file.channelLabels }
    }

    var converter: ConverterObject? { conversion.object }

    func endConversion() {
        conversion.letGo()
        transferPosition.end()
    }

    // MARK: Creation

    /// Sets the use of the channels of a file that will be created later.
    func setCreationLabels(_ labels: [AudioChannelLabel]) { creation?.channelLabels = labels }
}

extension ExtendedFile {
    /// Performs a C function on a file, and returns its result.
    ///
    /// - Returns: `kAudio_ParamError` for a reference that is not an extended audio file.
    static func answer(_ handle: ExtAudioFileRef?, _ body: (ExtendedFile) throws -> Void) -> OSStatus {
        guard let file = unsafe handles[handle] else { return kAudio_ParamError }
        return file.answer(body)
    }

    /// Performs a C function with exclusive access to the file.
    func answer(_ body: (ExtendedFile) throws -> Void) -> OSStatus {
        do {
            try gate.withLock { (_: inout Void) throws in try body(self) }
            return noErr
        } catch { return StatusError.status(of: error) }
    }
}
