import AudioCodecs
public import CAudioToolbox
import CoreAudioTypes

/// Produces packets, asking for input as it goes.
///
/// The procedure is called on this thread. What it gives is used from where it is until it is called again. 0 packets
/// and `noErr` end the stream. Any other result stops the call, which hands out what there is and returns that
/// result: called again later, it goes on.
///
/// - Parameters:
///   - ioPackets: How many packets there is room for; frames of linear PCM. Then how many there are.
///   - output: Buffers, whose sizes say how much they hold, and then how much they were filled.
///   - descriptions: Needed for packets that differ in size.
/// - Returns: The procedure's result; `kAudioConverterErr_RequiresPacketDescriptionsError`;
///   `kAudioConverterErr_InvalidInputSize`, `kAudioConverterErr_InvalidOutputSize` if not one packet fits;
///   `kAudioConverterErr_OperationNotSupported` for a converter without a buffer, and inside the procedure. What
///   fails after packets were made is told by the next call.
@_cdecl("AudioConverterFillComplexBuffer")
public func audioConverterFillComplexBuffer(
    _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
    _ userData: UnsafeMutableRawPointer?, _ ioPackets: UnsafeMutablePointer<UInt32>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    guard let converter = unsafe converter, let object = unsafe ConverterObject.handles[converter],
        let procedure = unsafe procedure, let ioPackets = unsafe ioPackets, let output = unsafe output
    else { return kAudio_ParamError }
    return unsafe fill(object, ioPackets, output, descriptions) { packets, list, places in
        unsafe procedure(converter, packets, list, places, userData)
    }
}

/// The same between formats of linear PCM, for a thread that must not wait.
///
/// The first call after a change of a property allocates memory; those after it do not, as long as they ask for no
/// more at once than the first.
///
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``; `kAudioConverterErr_OperationNotSupported` if
///   there is a codec.
@_cdecl("AudioConverterFillComplexBufferRealtimeSafe")
public func audioConverterFillComplexBufferRealtimeSafe(
    _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProcRealtimeSafe?,
    _ userData: UnsafeMutableRawPointer?, _ ioPackets: UnsafeMutablePointer<UInt32>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    guard let converter = unsafe converter, let object = unsafe ConverterObject.handles[converter],
        let procedure = unsafe procedure, let ioPackets = unsafe ioPackets, let output = unsafe output
    else { return kAudio_ParamError }
    guard !object.isEncoding, !object.isDecoding else { return kAudioConverterErr_OperationNotSupported }
    return unsafe fill(object, ioPackets, output, descriptions) { packets, list, places in
        unsafe procedure(converter, packets, list, places, userData)
    }
}

/// Produces packets, and tells what each needs of those before it.
///
/// - Parameter dependencies: As many as there is room for packets.
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``.
@_cdecl("AudioConverterFillComplexBufferWithPacketDependencies")
public func audioConverterFillComplexBufferWithPacketDependencies(
    _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
    _ userData: UnsafeMutableRawPointer?, _ ioPackets: UnsafeMutablePointer<UInt32>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ dependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], let ioPackets = unsafe ioPackets,
        let dependencies = unsafe dependencies
    else { return kAudio_ParamError }
    let status = unsafe audioConverterFillComplexBuffer(
        converter, procedure, userData, ioPackets, output, descriptions)
    // No encoder here makes packets of which some can only be decoded after certain others.
    let preroll = UInt32(clamping: PacketPreroll.packets(of: object.outputFormat.mFormatID))
    for index in 0..<(unsafe Int(ioPackets.pointee)) {
        unsafe dependencies[index] = AudioStreamPacketDependencyDescription(
            mIsIndependentlyDecodable: 1, mPreRollCount: preroll, mFlags: 0, mReserved: 0)
    }
    return status
}

/// Produces bytes, asking for input as it goes.
///
/// - Parameters:
///   - procedure: Gives bytes, and where they are: 0 bytes and `noErr` end the stream, and any other result stops
///     the call, which returns it.
///   - ioBytes: How many bytes there is room for, and then how many there are.
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``;
///   `kAudioConverterErr_RequiresPacketDescriptionsError` for packets that differ in size, on either side;
///   `kAudioConverterErr_OperationNotSupported` for channels that have a buffer each.
@_cdecl("AudioConverterFillBuffer")
public func audioConverterFillBuffer(
    _ converter: AudioConverterRef?, _ procedure: AudioConverterInputDataProc?,
    _ userData: UnsafeMutableRawPointer?, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ output: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let converter = unsafe converter, let object = unsafe ConverterObject.handles[converter],
        let procedure = unsafe procedure, let ioBytes = unsafe ioBytes, let output = unsafe output
    else { return kAudio_ParamError }
    let (from, to) = (object.inputFormat, object.outputFormat)
    guard from.hasConstantPacketSize, to.hasConstantPacketSize else {
        return kAudioConverterErr_RequiresPacketDescriptionsError
    }
    guard from.isInterleaved || from.mChannelsPerFrame == 1, to.isInterleaved || to.mChannelsPerFrame == 1
    else { return kAudioConverterErr_OperationNotSupported }
    var packets = unsafe ioBytes.pointee / to.mBytesPerPacket
    guard packets > 0 else { return kAudioConverterErr_InvalidOutputSize }
    var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
            mNumberChannels: to.mChannelsPerFrame, mDataByteSize: ioBytes.pointee, mData: output))
    let status = unsafe fill(object, &packets, &list, nil) { packets, list, _ in
        let buffer = unsafe list.pointee.mBuffers
        guard var data = unsafe buffer.mData else { return kAudio_MemFullError }
        var bytes = unsafe buffer.mDataByteSize
        let status = unsafe procedure(converter, &bytes, &data, userData)
        unsafe list.pointee.mBuffers.mData = data
        unsafe list.pointee.mBuffers.mDataByteSize = bytes
        unsafe packets.pointee = bytes / from.mBytesPerPacket
        // Part of a packet is no end of the stream.
        guard status == noErr, bytes > 0, bytes < from.mBytesPerPacket else { return status }
        return kAudioConverterErr_InvalidInputSize
    }
    unsafe ioBytes.pointee = packets * to.mBytesPerPacket
    return status
}

/// Fills buffers with what a procedure gives, and tells how many packets there are.
private func fill(
    _ object: ConverterObject, _ ioPackets: UnsafeMutablePointer<UInt32>,
    _ output: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ procedure: ClientInput.Procedure
) -> OSStatus {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(output)
    let wanted = unsafe Int(ioPackets.pointee)
    unsafe ioPackets.pointee = 0
    var status = noErr
    do {
        let filled = try unsafe object.fill(buffers, descriptions: descriptions, maximumPackets: wanted) {
            (packets) throws -> AudioConverter.Supply in
            unsafe object.ask(for: packets, status: &status, procedure)
        }
        unsafe ioPackets.pointee = UInt32(clamping: filled.packets)
        return status
    } catch {
        for index in 0..<(unsafe buffers.count) { unsafe buffers[index].mDataByteSize = 0 }
        return StatusError.status(of: error)
    }
}
