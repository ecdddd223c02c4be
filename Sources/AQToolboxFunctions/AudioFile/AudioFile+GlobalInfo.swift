// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreAudioTypes

/// Returns the size of the answer to a query about file types.
///
/// - Parameters:
///   - property: One of `kAudioFileGlobalInfo_…`.
///   - specifierByteCount: The size of `specifier` in bytes.
///   - specifier: The subject of the query, for example a file type, or a file name's extension. NULL for queries
///     about all file types.
///   - outBytes: Receives the size.
/// - Returns: `kAudioFileUnsupportedPropertyError` if there is no such query,
///   `kAudioFileBadPropertySizeError` for a specifier of another size, `kAudioFileUnsupportedFileTypeError`
///   for a file type that cannot be read here, `kAudioFileUnsupportedDataFormatError` for a format that the file type
///   cannot hold, `kAudio_ParamError` for NULL.
@_cdecl("AudioFileGetGlobalInfoSize")
public func audioFileGetGlobalInfoSize(
    _ property: AudioFilePropertyID, _ specifierByteCount: UInt32, _ specifier: UnsafeMutableRawPointer?,
    _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outBytes = unsafe outBytes else { return kAudio_ParamError }
    return StatusError.result { () throws(StatusError) in
        let question = unsafe AudioFileSession.bytes(specifier, specifierByteCount)
        let answer = try unsafe AudioFileGlobalAnswers.answer(property, about: question)
        unsafe outBytes.pointee = UInt32(clamping: answer.byteCount)
    }
}

/// Answers a query about file types.
///
/// - Parameters: The same as for `AudioFileGetGlobalInfoSize`.
/// - Parameters:
///   - ioBytes: The size of `data` in bytes; on return that of the answer. A list is truncated to the elements that
///     fit.
///   - data: Receives the answer. The caller has to release objects in the answer.
/// - Returns: As `AudioFileGetGlobalInfoSize`; `kAudioFileBadPropertySizeError` also if the answer does not fit.
@_cdecl("AudioFileGetGlobalInfo")
public func audioFileGetGlobalInfo(
    _ property: AudioFilePropertyID, _ specifierByteCount: UInt32, _ specifier: UnsafeMutableRawPointer?,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let question = unsafe AudioFileSession.bytes(specifier, specifierByteCount)
        let answer = try unsafe AudioFileGlobalAnswers.answer(property, about: question)
        try unsafe PropertyReply(data, ioBytes).give(answer, tooSmall: kAudioFileBadPropertySizeError)
    }
}

/// The answers to queries about file types.
enum AudioFileGlobalAnswers {
    /// Returns the value of a global property.
    ///
    /// - Parameter specifier: The subject of the query; ignored for queries about all file types.
    /// - Throws: The error that `AudioFileGetGlobalInfo` and `AudioFileGetGlobalInfoSize` return.
    @unsafe static func answer(
        _ property: AudioFilePropertyID, about specifier: UnsafeRawBufferPointer
    ) throws(StatusError) -> PropertyAnswer {
        switch property {
        case kAudioFileGlobalInfo_ReadableTypes: return .many(AudioFileKind.all.map(\.type))
        case kAudioFileGlobalInfo_WritableTypes:
            return .many(AudioFileKind.all.filter { $0.writtenType != nil }.map(\.type))
        case kAudioFileGlobalInfo_AllExtensions: return .strings(distinct(AudioFileKind.all, \.extensions))
        case kAudioFileGlobalInfo_AllUTIs: return .strings(distinct(AudioFileKind.all, \.typeIdentifiers))
        case kAudioFileGlobalInfo_AllMIMETypes: return .strings(distinct(AudioFileKind.all, \.mimeTypes))
        case kAudioFileGlobalInfo_AllHFSTypeCodes:
            return .many(distinct(AudioFileKind.all, \.hfsCodes))
        case kAudioFileGlobalInfo_FileTypeName: return .text(try unsafe kind(specifier).name)
        case kAudioFileGlobalInfo_AvailableFormatIDs: return .many(try unsafe kind(specifier).formatIDs)
        case kAudioFileGlobalInfo_ExtensionsForType: return .strings(try unsafe kind(specifier).extensions)
        case kAudioFileGlobalInfo_UTIsForType: return .strings(try unsafe kind(specifier).typeIdentifiers)
        case kAudioFileGlobalInfo_MIMETypesForType: return .strings(try unsafe kind(specifier).mimeTypes)
        case kAudioFileGlobalInfo_HFSTypeCodesForType:
            return .many(try unsafe kind(specifier).hfsCodes)
        case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
            let pair = try unsafe load(AudioFileTypeAndFormatID.self, from: specifier)
            guard let kind = AudioFileKind.kind(of: pair.mFileType) else {
                throw StatusError(kAudioFileUnsupportedFileTypeError)
            }
            let streams = kind.streamDescriptions(of: pair.mFormatID)
            guard !streams.isEmpty else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
            return .many(streams)
        case kAudioFileGlobalInfo_TypesForHFSTypeCode:
            let code = try unsafe load(UInt32.self, from: specifier)
            return types { $0.hfsCodes.contains(code) }
        case kAudioFileGlobalInfo_TypesForExtension:
            let wanted = try unsafe text(specifier)
            // An extension with its dot is accepted, because it is a common mistake.
            let name = wanted.hasPrefix(".") ? String(wanted.dropFirst()) : wanted
            return types { $0.extensions.contains(name) }
        case kAudioFileGlobalInfo_TypesForMIMEType:
            let wanted = try unsafe text(specifier)
            return types { $0.mimeTypes.contains(wanted) }
        case kAudioFileGlobalInfo_TypesForUTI:
            let wanted = try unsafe text(specifier)
            return types { $0.typeIdentifiers.contains(wanted) }
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    private static func types(where isWanted: (AudioFileKind) -> Bool) -> PropertyAnswer {
        .many(AudioFileKind.all.filter(isWanted).map(\.type))
    }

    /// The values of all file types, once each, in order of first appearance.
    private static func distinct<Value: Hashable>(
        _ kinds: [AudioFileKind], _ values: (AudioFileKind) -> [Value]
    ) -> [Value] {
        var known: Set<Value> = []
        return kinds.flatMap(values).filter { known.insert($0).inserted }
    }

    @unsafe private static func kind(
        _ specifier: UnsafeRawBufferPointer
    ) throws(StatusError) -> AudioFileKind {
        let type = try unsafe load(AudioFileTypeID.self, from: specifier)
        guard let kind = AudioFileKind.kind(of: type) else {
            throw StatusError(kAudioFileUnsupportedFileTypeError)
        }
        return kind
    }

    /// A string that is the subject of a query, in lower case.
    @unsafe private static func text(
        _ specifier: UnsafeRawBufferPointer
    ) throws(StatusError) -> String {
        let reference = try unsafe load(UInt.self, from: specifier)
        guard let text = unsafe AudioFileObject.text(at: reference) else {
            throw StatusError(kAudio_ParamError)
        }
        return text.lowercased()
    }

    @unsafe private static func load<Value: BitwiseCopyable>(
        _ type: Value.Type, from specifier: UnsafeRawBufferPointer
    ) throws(StatusError) -> Value {
        guard unsafe specifier.baseAddress != nil else { throw StatusError(kAudio_ParamError) }
        return try unsafe PropertyInput.value(in: specifier, badSize: kAudioFileBadPropertySizeError)
    }
}
