public import CAudioToolbox
import CoreAudioTypes

/// Returns the size of the answer to a query about file types.
///
/// - Parameters:
///   - property: One of `kAudioFileGlobalInfo_…`.
///   - specifierByteCount: The size of `specifier` in bytes.
///   - specifier: The subject of the query: a file type, a file name's extension; NULL for queries about all.
///   - outBytes: Receives the size.
/// - Returns: `kAudioFileUnsupportedPropertyError` if there is no such query,
///   `kAudioFileBadPropertySizeError` for a specifier of another size, `kAudioFileUnsupportedFileTypeError`
///   for a type that is not read here.
///
/// The corresponding C function is `AudioFileGetGlobalInfoSize`.
@_cdecl("AudioFileGetGlobalInfoSize")
public func audioFileGetGlobalInfoSize(
    _ property: AudioFilePropertyID, _ specifierByteCount: UInt32, _ specifier: UnsafeMutableRawPointer?,
    _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outBytes = unsafe outBytes else { return kAudio_ParamError }
    do throws(StatusError) {
        let question = unsafe AudioFileSession.bytes(specifier, specifierByteCount)
        let answer = try unsafe AudioFileGlobalAnswer(property, about: question)
        unsafe outBytes.pointee = UInt32(clamping: answer.byteCount)
        return noErr
    } catch { return error.status }
}

/// Answers a query about file types.
///
/// - Parameters:
///   - property: One of `kAudioFileGlobalInfo_…`.
///   - specifierByteCount: The size of `specifier` in bytes.
///   - specifier: The subject of the query: a file type, a file name's extension; NULL for queries about all.
///   - ioBytes: The size of `data` in bytes; on return that of the answer. A list is truncated to the
///     elements that fit.
///   - data: Receives the answer. The caller has to release objects.
/// - Returns: As `AudioFileGetGlobalInfoSize`; `kAudioFileBadPropertySizeError` also if the answer does not
///   fit.
///
/// The corresponding C function is `AudioFileGetGlobalInfo`.
@_cdecl("AudioFileGetGlobalInfo")
public func audioFileGetGlobalInfo(
    _ property: AudioFilePropertyID, _ specifierByteCount: UInt32, _ specifier: UnsafeMutableRawPointer?,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    do throws(StatusError) {
        let question = unsafe AudioFileSession.bytes(specifier, specifierByteCount)
        let answer = try unsafe AudioFileGlobalAnswer(property, about: question)
        return answer.give(to: unsafe PropertyReply(data, ioBytes))
    } catch { return error.status }
}

/// The answer to a query about file types.
enum AudioFileGlobalAnswer {
    /// File types, formats, codes of older file systems.
    case codes([UInt32])
    case streams([AudioStreamBasicDescription])
    /// A string, as an object.
    case name(String)
    /// Strings, as an object.
    case names([String])

    /// The size of the whole answer in bytes.
    var byteCount: Int {
        switch self {
        case .codes(let codes): codes.count * MemoryLayout<UInt32>.stride
        case .streams(let streams): streams.count * MemoryLayout<AudioStreamBasicDescription>.stride
        case .name, .names: MemoryLayout<UInt>.size
        }
    }

    /// Copies the answer into the client's memory.
    func give(to reply: PropertyReply) -> OSStatus {
        let tooSmall = kAudioFileBadPropertySizeError
        return switch self {
        case .codes(let codes): reply.values(codes, tooSmall: tooSmall)
        case .streams(let streams): reply.values(streams, tooSmall: tooSmall)
        case .name(let name): reply.object({ AudioFileObject.string(name) }, tooSmall: tooSmall)
        case .names(let names): reply.object({ AudioFileObject.array(names) }, tooSmall: tooSmall)
        }
    }

    /// Finds the answer.
    ///
    /// - Parameter specifier: The subject of the query; ignored for queries about all.
    /// - Throws: The result of the C functions.
    @unsafe init(
        _ property: AudioFilePropertyID, about specifier: UnsafeRawBufferPointer
    ) throws(StatusError) {
        switch property {
        case kAudioFileGlobalInfo_ReadableTypes: self = .codes(AudioFileKind.all.map(\.type))
        case kAudioFileGlobalInfo_WritableTypes:
            self = .codes(AudioFileKind.all.filter { $0.writtenType != nil }.map(\.type))
        case kAudioFileGlobalInfo_AllExtensions: self = .names(Self.distinct(AudioFileKind.all, \.extensions))
        case kAudioFileGlobalInfo_AllUTIs: self = .names(Self.distinct(AudioFileKind.all, \.typeIdentifiers))
        case kAudioFileGlobalInfo_AllMIMETypes: self = .names(Self.distinct(AudioFileKind.all, \.mimeTypes))
        case kAudioFileGlobalInfo_AllHFSTypeCodes:
            self = .codes(Self.distinct(AudioFileKind.all, \.hfsCodes))
        case kAudioFileGlobalInfo_FileTypeName: self = .name(try unsafe Self.kind(specifier).name)
        case kAudioFileGlobalInfo_AvailableFormatIDs: self = .codes(try unsafe Self.kind(specifier).formatIDs)
        case kAudioFileGlobalInfo_ExtensionsForType: self = .names(try unsafe Self.kind(specifier).extensions)
        case kAudioFileGlobalInfo_UTIsForType: self = .names(try unsafe Self.kind(specifier).typeIdentifiers)
        case kAudioFileGlobalInfo_MIMETypesForType: self = .names(try unsafe Self.kind(specifier).mimeTypes)
        case kAudioFileGlobalInfo_HFSTypeCodesForType:
            self = .codes(try unsafe Self.kind(specifier).hfsCodes)
        case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
            let pair = try unsafe Self.load(AudioFileTypeAndFormatID.self, from: specifier)
            guard let kind = AudioFileKind.kind(of: pair.mFileType) else {
                throw StatusError(kAudioFileUnsupportedFileTypeError)
            }
            let streams = kind.streamDescriptions(of: pair.mFormatID)
            guard !streams.isEmpty else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
            self = .streams(streams)
        case kAudioFileGlobalInfo_TypesForHFSTypeCode:
            let code = try unsafe Self.load(UInt32.self, from: specifier)
            self = Self.types { $0.hfsCodes.contains(code) }
        case kAudioFileGlobalInfo_TypesForExtension:
            let wanted = try unsafe Self.text(specifier)
            // An extension with its dot is accepted, because it is a common mistake.
            let name = wanted.hasPrefix(".") ? String(wanted.dropFirst()) : wanted
            self = Self.types { $0.extensions.contains(name) }
        case kAudioFileGlobalInfo_TypesForMIMEType:
            let wanted = try unsafe Self.text(specifier)
            self = Self.types { $0.mimeTypes.contains(wanted) }
        case kAudioFileGlobalInfo_TypesForUTI:
            let wanted = try unsafe Self.text(specifier)
            self = Self.types { $0.typeIdentifiers.contains(wanted) }
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    private static func types(where isWanted: (AudioFileKind) -> Bool) -> AudioFileGlobalAnswer {
        .codes(AudioFileKind.all.filter(isWanted).map(\.type))
    }

    /// The values of all types, once each, in their order.
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
        guard specifier.count == MemoryLayout<Value>.size else {
            throw StatusError(kAudioFileBadPropertySizeError)
        }
        // SAFETY: the memory has this many bytes, of any alignment; any bits are a number.
        return unsafe specifier.loadUnaligned(as: Value.self)
    }
}
