// SPDX-License-Identifier: MIT

import AQCodecs
public import CAQAudioToolbox
import CoreAudioTypes

/// Makes packets, and requests input as needed.
///
/// The procedure is called on this thread. Its data is used without a copy until the next call of the procedure. 0
/// packets and `noErr` end the stream. Any other result ends the call, which returns the packets made so far and that
/// result; a later call continues.
///
/// - Parameters:
///   - ioPackets: The room in packets, which are frames for linear PCM; on return the number of packets.
///   - output: Buffers, whose sizes are their capacities, and on return the number of bytes written.
///   - descriptions: Receives the descriptions; required for packets that differ in size.
/// - Returns: The procedure's result; `kAudioConverterErr_RequiresPacketDescriptionsError`;
///   `kAudioConverterErr_InvalidInputSize`, `kAudioConverterErr_InvalidOutputSize` if not a single packet fits;
///   `kAudioConverterErr_OperationNotSupported` for a converter without a buffer, and inside the procedure. An error
///   after packets were made is returned by the next call.
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
    return unsafe fill(object, ioPackets, output, descriptions) { packets, list, packetDescriptions in
        unsafe procedure(converter, packets, list, packetDescriptions, userData)
    }
}

/// Makes packets between formats of linear PCM, for a thread that must not wait.
///
/// The first call after a change of a property allocates memory; later calls do not, unless they request more
/// than the first.
///
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``;
///   `kAudioConverterErr_OperationNotSupported` if there is a codec.
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
    return unsafe fill(object, ioPackets, output, descriptions) { packets, list, packetDescriptions in
        unsafe procedure(converter, packets, list, packetDescriptions, userData)
    }
}

/// Makes packets, and returns the dependency of each on earlier packets.
///
/// - Parameter dependencies: Receives the dependency of each packet.
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``.
@_cdecl("AudioConverterFillComplexBufferWithPacketDependencies")
public func audioConverterFillComplexBufferWithPacketDependencies(
    _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
    _ userData: UnsafeMutableRawPointer?, _ ioPackets: UnsafeMutablePointer<UInt32>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ dependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], unsafe procedure != nil,
        let ioPackets = unsafe ioPackets, unsafe output != nil, let dependencies = unsafe dependencies
    else { return kAudio_ParamError }
    let status = unsafe audioConverterFillComplexBuffer(
        converter, procedure, userData, ioPackets, output, descriptions)
    // No encoder here makes packets that depend on particular packets.
    let preroll = UInt32(clamping: PacketPreroll.packets(of: object.outputFormat.mFormatID))
    for index in 0..<(unsafe Int(ioPackets.pointee)) {
        unsafe dependencies[index] = AudioStreamPacketDependencyDescription(
            mIsIndependentlyDecodable: 1, mPreRollCount: preroll, mFlags: 0, mReserved: 0)
    }
    return status
}

/// Makes bytes, and requests input as needed.
///
/// - Parameters:
///   - procedure: Returns bytes and their address: 0 bytes and `noErr` end the stream, and any other result
///     ends the call, which returns that result.
///   - ioBytes: The room in bytes; on return the number of bytes written.
/// - Returns: As ``audioConverterFillComplexBuffer(_:_:_:_:_:_:)``;
///   `kAudioConverterErr_RequiresPacketDescriptionsError` for packets that differ in size, on either side;
///   `kAudioConverterErr_OperationNotSupported` for non-interleaved channels.
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
        // A partial packet is an error, not the end of the stream.
        guard status == noErr, bytes > 0, bytes < from.mBytesPerPacket else { return status }
        return kAudioConverterErr_InvalidInputSize
    }
    unsafe ioBytes.pointee = packets * to.mBytesPerPacket
    return status
}

/// Fills buffers from a procedure, and returns the number of packets.
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
        // A client that has nothing is asked before frames that wait are returned, and these may be sufficient.
        return filled.isWaiting ? status : noErr
    } catch {
        for index in 0..<(unsafe buffers.count) { unsafe buffers[index].mDataByteSize = 0 }
        return StatusError.status(of: error)
    }
}
