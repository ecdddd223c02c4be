// SPDX-License-Identifier: MIT

import AQCodecs
public import CAQAudioToolbox
import CoreAudioTypes

/// Converts the bytes of a buffer, between formats of linear PCM of one rate.
///
/// - Parameters:
///   - inputBytes: The number of bytes, of whole frames.
///   - ioOutputBytes: The room for the output in bytes; on return the number of bytes written.
/// - Returns: `kAudioConverterErr_OperationNotSupported` for other formats, for non-interleaved channels, and inside
///   the converter's procedure;
///   `kAudioConverterErr_InvalidInputSize` for a partial frame; `kAudioConverterErr_InvalidOutputSize` if
///   there is too little room. After an error nothing is written.
@_cdecl("AudioConverterConvertBuffer")
public func audioConverterConvertBuffer(
    _ converter: AudioConverterRef?, _ inputBytes: UInt32, _ input: UnsafeRawPointer?,
    _ ioOutputBytes: UnsafeMutablePointer<UInt32>?, _ output: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], let ioOutputBytes = unsafe ioOutputBytes,
        unsafe input != nil || inputBytes == 0, unsafe output != nil || inputBytes == 0
    else { return kAudio_ParamError }
    do throws(CodecError) {
        let room = unsafe output == nil ? 0 : Int(ioOutputBytes.pointee)
        let bytes = try unsafe object.directConverter().convertBuffer(
            UnsafeRawBufferPointer(start: input, count: Int(inputBytes)),
            into: UnsafeMutableRawBufferPointer(start: output, count: room))
        unsafe ioOutputBytes.pointee = UInt32(clamping: bytes)
        return noErr
    } catch {
        return error.status
    }
}

/// Converts the frames of buffers, between formats of linear PCM of one rate.
///
/// - Returns: `kAudioConverterErr_OperationNotSupported` for other formats, and inside the converter's procedure;
///   `kAudioConverterErr_InvalidInputSize`, `kAudioConverterErr_InvalidOutputSize` if buffers are missing or
///   too small for the frames. After an error nothing is written.
@_cdecl("AudioConverterConvertComplexBuffer")
public func audioConverterConvertComplexBuffer(
    _ converter: AudioConverterRef?, _ frames: UInt32, _ input: UnsafePointer<AudioBufferList>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], let input = unsafe input,
        let output = unsafe output
    else { return kAudio_ParamError }
    // SAFETY: the input's buffers are only read.
    let from = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
    let to = unsafe UnsafeMutableAudioBufferListPointer(output)
    let count = Int(frames)
    do {
        let engine = try object.directConverter()
        guard unsafe BufferLists.hold(count, from, engine.inputFormat) else {
            return kAudioConverterErr_InvalidInputSize
        }
        guard unsafe BufferLists.hold(count, to, engine.outputFormat) else {
            return kAudioConverterErr_InvalidOutputSize
        }
        // All frames are taken and returned: none is left for the next call.
        let filled = try unsafe engine.fill(to, maximumPackets: count) { _ in
            unsafe BufferLists.supply(of: from, frames: count, engine.inputFormat)
        }
        if filled.packets == count { return noErr }
        object.letGoOfDirectConverter()
        return kAudioConverterErr_UnspecifiedError
    } catch {
        object.letGoOfDirectConverter()
        return StatusError.status(of: error)
    }
}
