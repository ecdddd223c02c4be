// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension ExtendedFile {
    /// A property's value.
    ///
    /// - Throws: `kExtAudioFileError_InvalidProperty` for a property that does not exist, or not for this file.
    func answer(to property: ExtAudioFilePropertyID) throws(StatusError) -> PropertyAnswer {
        switch property {
        case kExtAudioFileProperty_FileDataFormat: return .one(fileFormat)
        case kExtAudioFileProperty_FileChannelLayout:
            return .bytes(ChannelLayout(labels: try channelLabels()).publishedBytes)
        case kExtAudioFileProperty_ClientDataFormat: return .one(clientFormat ?? fileFormat)
        case kExtAudioFileProperty_ClientChannelLayout:
            let channels = Int((clientFormat ?? fileFormat).mChannelsPerFrame)
            let labels = clientLabels ?? ChannelLabels.defaults(channels: channels)
            return .bytes(ChannelLayout(labels: labels).publishedBytes)
        case kExtAudioFileProperty_CodecManufacturer: return .one(codecManufacturer)
        // Handles are written as pointers; NULL before there is a converter.
        case kExtAudioFileProperty_AudioConverter: return .one(conversion.handle)
        case kExtAudioFileProperty_AudioFile:
            return .one(UInt(bitPattern: unsafe file?.handle))
        case kExtAudioFileProperty_FileMaxPacketSize: return .one(try filePacketBytes())
        case kExtAudioFileProperty_ClientMaxPacketSize:
            return .one((clientFormat ?? fileFormat).mBytesPerPacket)
        case kExtAudioFileProperty_FileLengthFrames:
            guard let frames = try lengthInFrames() else {
                throw StatusError(kExtAudioFileError_InvalidProperty)
            }
            return .one(frames)
        case kExtAudioFileProperty_IOBufferSizeBytes: return .one(transfer.byteCount)
        case kExtAudioFileProperty_IOBuffer: return .one(transfer.clientAddress)
        case kExtAudioFileProperty_PacketTable: return .one(try packetTable())
        case kExtAudioFileProperty_DamagedPacketCount: return .one(UInt64(conversion.damagedPackets))
        default: throw StatusError(kExtAudioFileError_InvalidProperty)
        }
    }

    func isWritable(_ property: ExtAudioFilePropertyID) -> Bool {
        switch property {
        case kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_ClientDataFormat,
            kExtAudioFileProperty_ClientChannelLayout, kExtAudioFileProperty_CodecManufacturer,
            kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBufferSizeBytes,
            kExtAudioFileProperty_IOBuffer, kExtAudioFileProperty_PacketTable:
            true
        default: false
        }
    }

    @unsafe
    func set(_ property: ExtAudioFilePropertyID, to bytes: UnsafeRawBufferPointer) throws(StatusError) {
        switch property {
        case kExtAudioFileProperty_ClientDataFormat:
            try setClientFormat(try unsafe value(AudioStreamBasicDescription.self, in: bytes))
        case kExtAudioFileProperty_ClientChannelLayout: try setClientLabels(try unsafe labels(in: bytes))
        case kExtAudioFileProperty_FileChannelLayout: try setFileLabels(try unsafe labels(in: bytes))
        case kExtAudioFileProperty_CodecManufacturer:
            let manufacturer = try unsafe value(UInt32.self, in: bytes)
            // As published: the converter is made with the client's format.
            guard clientFormat == nil else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
            codecManufacturer = manufacturer
        case kExtAudioFileProperty_ConverterConfig:
            let reference = try unsafe bytes.count == 0 ? 0 : value(UInt.self, in: bytes)
            // NULL means that the converter was changed by its own properties.
            if reference != 0 {
                guard let converter, !isWriting || !isStarted else {
                    throw StatusError(kExtAudioFileError_InvalidOperationOrder)
                }
                try unsafe converter.set(kAudioConverterPropertySettings, to: bytes)
            }
            if let converter { try adoptSettings(of: converter) }
            try leaveTransfer()
        case kExtAudioFileProperty_IOBufferSizeBytes:
            let byteCount = try unsafe value(UInt32.self, in: bytes)
            guard 1...TransferBuffer.mostBytes ~= byteCount else { throw StatusError(kAudio_ParamError) }
            try leaveTransfer()
            transfer.byteCount = byteCount
        case kExtAudioFileProperty_IOBuffer:
            let address = try unsafe value(UInt.self, in: bytes)
            try leaveTransfer()
            transfer.clientAddress = address
        case kExtAudioFileProperty_PacketTable:
            try setPacketTable(try unsafe value(AudioFilePacketTableInfo.self, in: bytes))
        case kExtAudioFileProperty_FileLengthFrames:
            // A file grows and shrinks only by writing.
            throw StatusError(kAudioFileOperationNotSupportedError)
        default: throw StatusError(kExtAudioFileError_InvalidProperty)
        }
    }

    // MARK: Values of properties

    /// The size of the largest packet of the file in bytes.
    private func filePacketBytes() throws(StatusError) -> UInt32 {
        let bytes: Int
        if fileFormat.mBytesPerPacket > 0 {
            bytes = Int(fileFormat.mBytesPerPacket)
        } else if isWriting {
            // A writer that encodes does not report its packets.
            bytes = encoding != nil ? 0 : converter?.engine.maximumOutputPacketSize ?? 0
        } else {
            bytes = try openFile().read { (file) throws(AudioFileError) in file.packetSizeUpperBound }
        }
        guard bytes > 0 else { throw StatusError(kExtAudioFileError_MaxPacketSizeUnknown) }
        return UInt32(clamping: bytes)
    }

    /// The valid frames, as stated by the client, or else by the file.
    ///
    /// - Throws: `kExtAudioFileError_InvalidProperty` for a file of samples, whose frames are all valid, and for one whose
    ///   writer encodes.
    private func packetTable() throws(StatusError) -> AudioFilePacketTableInfo {
        guard !fileFormat.isLinearPCM, encoding == nil else {
            throw StatusError(kExtAudioFileError_InvalidProperty)
        }
        var table = PacketTable(primingFrames: 0, validFrames: 0, remainderFrames: 0)
        if isWriting {
            table.primingFrames = Int64(converter?.engine.primingFrames ?? 0)
            table.remainderFrames = Int64(converter?.engine.remainderFrames ?? 0)
        } else {
            let own = try openFile().read { (file) throws(AudioFileError) in file.packetTable }
            guard let own else { throw StatusError(kExtAudioFileError_InvalidProperty) }
            table = own
        }
        return AudioFilePacketTableInfo(
            mNumberValidFrames: try lengthInFrames() ?? 0,
            mPrimingFrames: Int32(clamping: primingOverride ?? table.primingFrames),
            mRemainderFrames: Int32(clamping: remainderOverride ?? table.remainderFrames))
    }

    /// Sets the numbers of priming and remainder frames; -1 selects the file's own number.
    private func setPacketTable(_ info: AudioFilePacketTableInfo) throws(StatusError) {
        guard !fileFormat.isLinearPCM, encoding == nil else {
            throw StatusError(kExtAudioFileError_InvalidProperty)
        }
        guard info.mPrimingFrames >= -1, info.mRemainderFrames >= -1, info.mNumberValidFrames == 0 else {
            throw StatusError(kAudio_ParamError)
        }
        let frame = try position()
        primingOverride = info.mPrimingFrames < 0 ? nil : Int64(info.mPrimingFrames)
        remainderOverride = info.mRemainderFrames < 0 ? nil : Int64(info.mRemainderFrames)
        if !isWriting { try goOn(from: frame) }
    }

    /// Sets the use of the file's channels. For a file that is read, it replaces the layout in the file.
    private func setFileLabels(_ labels: [AudioChannelLabel]) throws(StatusError) {
        // As published: the file's layout is set before the client's format and layout.
        guard clientFormat == nil else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        guard labels.count == Int(fileFormat.mChannelsPerFrame) else {
            throw StatusError(kExtAudioFileError_InvalidChannelMap)
        }
        if creation != nil {
            setCreationLabels(labels)
        } else if isWriting, encoding == nil {
            try Self.setChannelLabels(labels, of: openFile())
        }
        fileLabels = labels
    }

    /// Prepares another buffer or changed settings: the converter restarts at its position.
    private func leaveTransfer() throws(StatusError) {
        guard !isWriting, converter != nil, !transferPosition.needsBeginning else { return }
        try goOn(from: position())
    }

    private func goOn(from frame: Int64) throws(StatusError) {
        transferPosition.begin(at: frame)
        // Input that the converter has not used is no longer valid.
        if let converter { try StatusError.check(converter.reset()) }
    }

    private func value<Value: BitwiseCopyable>(
        _ type: Value.Type, in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> Value {
        try unsafe PropertyInput.value(in: bytes, badSize: kExtAudioFileError_InvalidPropertySize)
    }

    private func labels(in bytes: UnsafeRawBufferPointer) throws(StatusError) -> [AudioChannelLabel] {
        try unsafe PublishedLayout.labels(
            in: bytes, truncated: kExtAudioFileError_InvalidPropertySize,
            unknown: kExtAudioFileError_InvalidChannelMap)
    }
}
