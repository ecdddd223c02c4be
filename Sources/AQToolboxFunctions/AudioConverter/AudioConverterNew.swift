// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
public import CAQAudioToolbox
import CoreAudioTypes

/// Creates a converter.
///
/// Every function here returns `kAudio_ParamError` for NULL where a pointer is required, and for a reference
/// that is not, or no longer, a converter.
///
/// - Returns: `kAudioConverterErr_FormatNotSupported` if there is no conversion between the formats;
///   `kAudioConverterErr_InputSampleRateOutOfRange`, `kAudioConverterErr_OutputSampleRateOutOfRange`.
@_cdecl("AudioConverterNew")
public func audioConverterNew(
    _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
    unsafe makeConverter(sourceFormat, destinationFormat, converter)
}

/// Creates a converter that uses one of the described codecs.
///
/// A codec has a type, a format and a manufacturer. Each format has one software codec, whatever the
/// manufacturer; there are no hardware codecs.
///
/// - Returns: As ``audioConverterNew(_:_:_:)``; `kAudioConverterErr_FormatNotSupported` also if a codec is
///   needed, and no described one exists.
@_cdecl("AudioConverterNewSpecific")
public func audioConverterNewSpecific(
    _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ descriptionCount: UInt32,
    _ descriptions: UnsafePointer<AudioClassDescription>?,
    _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
    guard let source = unsafe sourceFormat, let destination = unsafe destinationFormat,
        unsafe converter != nil, unsafe descriptions != nil || descriptionCount == 0
    else { return kAudio_ParamError }
    let classes = unsafe [AudioClassDescription](
        UnsafeBufferPointer(start: descriptions, count: Int(descriptionCount)))
    let codecs = [
        (kAudioDecoderComponentType, unsafe source.pointee.mFormatID),
        (kAudioEncoderComponentType, unsafe destination.pointee.mFormatID),
    ]
    for (type, formatID) in codecs where formatID != kAudioFormatLinearPCM {
        let isDescribed = classes.contains {
            $0.mType == type && $0.mSubType == formatID
                && $0.mManufacturer != kAppleHardwareAudioCodecManufacturer
        }
        guard isDescribed else { return kAudioConverterErr_FormatNotSupported }
    }
    return unsafe makeConverter(sourceFormat, destinationFormat, converter)
}

/// Creates a converter with options.
///
/// - Parameter options: `kAudioConverterOption_Unbuffered` for a converter that keeps nothing between calls,
///   and converts only whole buffers.
/// - Returns: As ``audioConverterNew(_:_:_:)``; `kAudioConverterErr_FormatNotSupported` also for formats that
///   cannot be converted without a buffer; `kAudio_ParamError` for other options.
@_cdecl("AudioConverterNewWithOptions")
public func audioConverterNewWithOptions(
    _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ options: UInt32,
    _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
    let options = AudioConverterOptions(rawValue: options)
    guard options.isSubset(of: .unbuffered) else { return kAudio_ParamError }
    return unsafe makeConverter(
        sourceFormat, destinationFormat, converter, isUnbuffered: options.contains(.unbuffered))
}

/// Frees the converter.
///
/// May be called inside one of the converter's procedures: the running call then ends normally.
@_cdecl("AudioConverterDispose")
public func audioConverterDispose(_ converter: AudioConverterRef?) -> OSStatus {
    unsafe ConverterObject.handles.remove(converter) == nil ? kAudio_ParamError : noErr
}

/// Drops the input, also its end: the next input begins a new stream.
///
/// - Returns: `kAudioConverterErr_OperationNotSupported` inside the converter's own procedure.
@_cdecl("AudioConverterReset")
public func audioConverterReset(_ converter: AudioConverterRef?) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter] else { return kAudio_ParamError }
    return object.reset()
}

/// Loads the codecs' libraries in the background, which otherwise the first converter that needs them loads.
///
/// - Parameters:
///   - flags: Ignored: no flags are defined.
///   - reserved: Ignored; NULL.
///   - completion: Called once with the result, usually on a thread of the library.
@_cdecl("AudioConverterPrepare")
public func audioConverterPrepare(
    _ flags: UInt32, _ reserved: UnsafeMutableRawPointer?,
    _ completion: (@convention(block) (OSStatus) -> Void)?
) {
    /// SAFETY: a block is called by one thread, which may be any, as published.
    struct Completion: @unchecked Sendable {
        let block: (@convention(block) (OSStatus) -> Void)?
    }
    let ending = Completion(block: completion)
    let prepare: @Sendable () -> Void = {
        // The query loads the libraries. A missing one is not an error here.
        _ = CodecAvailability.decodableFormats()
        _ = CodecAvailability.encodableFormats()
        ending.block?(noErr)
    }
    // Loading needs more stack than a thread has here by default.
    if DetachedThread.start(named: "codecs", stackBytes: 1 << 20, prepare) != 0 { prepare() }
}

private func makeConverter(
    _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ converter: UnsafeMutablePointer<AudioConverterRef?>?, isUnbuffered: Bool = false
) -> OSStatus {
    guard let source = unsafe sourceFormat?.pointee, let destination = unsafe destinationFormat?.pointee,
        let converter = unsafe converter
    else { return kAudio_ParamError }
    unsafe converter.pointee = nil
    let object: ConverterObject
    do throws(CodecError) {
        object = try ConverterObject(
            ConverterRequest(from: source, to: destination), isUnbuffered: isUnbuffered)
    } catch {
        return creationStatus(error, source, destination)
    }
    guard let handle = unsafe ConverterObject.handles.insert(object) else { return kAudio_MemFullError }
    unsafe converter.pointee = handle
    return noErr
}

/// The result for formats that cannot be converted, with separate results for rates out of range.
private func creationStatus(
    _ error: CodecError, _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription
) -> OSStatus {
    let limits = 1...AudioStreamBasicDescription.maximumSampleRate
    switch error.code {
    case .invalidFormat, .unsupportedFormat:
        if !limits.contains(source.mSampleRate) { return kAudioConverterErr_InputSampleRateOutOfRange }
        // An output rate of 0 selects the rate of the input.
        let isGiven = destination.mSampleRate != 0
        if isGiven, !limits.contains(destination.mSampleRate) {
            return kAudioConverterErr_OutputSampleRateOutOfRange
        }
        return error.status
    default: return error.status
    }
}
