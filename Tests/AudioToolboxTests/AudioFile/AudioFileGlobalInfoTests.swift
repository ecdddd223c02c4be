// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@Suite struct AudioFileGlobalInfoTests {
    private let fixture = AudioFileFixture()

    @Test("every type that can be written can be read, and has a name, an extension and formats")
    func describesKinds() throws {
        let readable = codes(kAudioFileGlobalInfo_ReadableTypes)
        let writable = codes(kAudioFileGlobalInfo_WritableTypes)
        #expect(Set(readable).isSuperset(of: writable))
        expectEqual(Set(readable).count, readable.count)
        #expect(writable.contains(kAudioFileCAFType) && !writable.contains(kAudioFileNextType))
        for type in readable {
            expectEqual(text(kAudioFileGlobalInfo_FileTypeName, about: type)?.isEmpty, false)
            let endings = try #require(names(kAudioFileGlobalInfo_ExtensionsForType, about: type))
            for ending in endings {
                #expect(types(kAudioFileGlobalInfo_TypesForExtension, about: ending).contains(type))
            }
            for format in codes(kAudioFileGlobalInfo_AvailableFormatIDs, about: type) {
                let streams = streams(AudioFileTypeAndFormatID(mFileType: type, mFormatID: format))
                #expect(!streams.isEmpty && streams.allSatisfy { $0.mFormatID == format })
            }
        }
    }

    @Test(
        "a listed stream description can be created",
        arguments: [
            kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType,
            kAudioFileRF64Type, kAudioFileWave64Type,
        ])
    func createsWhatIsListed(type: AudioFileTypeID) throws {
        let pair = AudioFileTypeAndFormatID(mFileType: type, mFormatID: kAudioFormatLinearPCM)
        for listed in streams(pair) {
            var format = listed
            format.mSampleRate = 48000
            format.mChannelsPerFrame = 2
            format.mFramesPerPacket = 1
            format.mBytesPerFrame = listed.mBitsPerChannel / 4
            format.mBytesPerPacket = format.mBytesPerFrame
            unsafe _ = AudioFileClose(try fixture.create("sound", type, format))
        }
    }

    @Test("the lists of all extensions, names and codes have those of each type, once")
    func listsAll() throws {
        let types = codes(kAudioFileGlobalInfo_ReadableTypes)
        for (all, each) in [
            (kAudioFileGlobalInfo_AllExtensions, kAudioFileGlobalInfo_ExtensionsForType),
            (kAudioFileGlobalInfo_AllUTIs, kAudioFileGlobalInfo_UTIsForType),
            (kAudioFileGlobalInfo_AllMIMETypes, kAudioFileGlobalInfo_MIMETypesForType),
        ] {
            let listed = try #require(names(all, about: 0))
            expectEqual(Set(listed).count, listed.count)
            expectEqual(Set(types.flatMap { names(each, about: $0) ?? [] }), Set(listed))
        }
        let codesOfAll = codes(kAudioFileGlobalInfo_AllHFSTypeCodes)
        expectEqual(Set(codesOfAll).count, codesOfAll.count)
        let codesOfEach = types.flatMap { codes(kAudioFileGlobalInfo_HFSTypeCodesForType, about: $0) }
        expectEqual(Set(codesOfEach), Set(codesOfAll))
    }

    @Test("extensions are found with and without the dot, in upper or lower case")
    func findsEndings() {
        for ending in ["wav", "WAV", ".wav"] {
            expectEqual(
                types(kAudioFileGlobalInfo_TypesForExtension, about: ending).first, kAudioFileWAVEType)
        }
        #expect(types(kAudioFileGlobalInfo_TypesForExtension, about: "xyz").isEmpty)
        expectEqual(types(kAudioFileGlobalInfo_TypesForUTI, about: "public.mp3"), [kAudioFileMP3Type])
        expectEqual(types(kAudioFileGlobalInfo_TypesForMIMEType, about: "audio/mp3"), [kAudioFileMP3Type])
        expectEqual(codes(kAudioFileGlobalInfo_TypesForHFSTypeCode, about: 0x4D34_4120), [kAudioFileM4AType])
    }

    @Test("invalid requests have results")
    func refusesQuestions() {
        var byteCount: UInt32 = 0
        var type: UInt32 = 1
        let none = unsafe AudioFileGetGlobalInfoSize(0, 0, nil, &byteCount)
        expectEqual(none, kAudioFileUnsupportedPropertyError)
        let formats = kAudioFileGlobalInfo_AvailableFormatIDs
        unsafe expectEqual(AudioFileGetGlobalInfoSize(formats, 0, nil, &byteCount), kAudio_ParamError)
        unsafe expectEqual(
            AudioFileGetGlobalInfoSize(formats, 3, &type, &byteCount), kAudioFileBadPropertySizeError)
        unsafe expectEqual(
            AudioFileGetGlobalInfoSize(formats, 4, &type, &byteCount), kAudioFileUnsupportedFileTypeError)
    }

    private func codes(_ property: AudioFilePropertyID, about specifier: UInt32 = 0) -> [UInt32] {
        values(property, specifier, UInt32(0))
    }

    private func streams(_ pair: AudioFileTypeAndFormatID) -> [AudioStreamBasicDescription] {
        values(
            kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, pair, AudioStreamBasicDescription())
    }

    private func types(_ property: AudioFilePropertyID, about text: String) -> [AudioFileTypeID] {
        let text = text as NSString
        return withExtendedLifetime(text) {
            values(property, unsafe UInt(bitPattern: Unmanaged.passUnretained(text).toOpaque()), UInt32(0))
        }
    }

    private func text(_ property: AudioFilePropertyID, about type: UInt32) -> String? {
        guard let address = unsafe UnsafeRawPointer(bitPattern: values(property, type, UInt(0))[0]) else {
            return nil
        }
        return unsafe Unmanaged<NSString>.fromOpaque(address).takeRetainedValue().description
    }

    private func names(_ property: AudioFilePropertyID, about type: UInt32) -> [String]? {
        guard let address = unsafe UnsafeRawPointer(bitPattern: values(property, type, UInt(0))[0]) else {
            return nil
        }
        return unsafe Unmanaged<NSArray>.fromOpaque(address).takeRetainedValue().map { "\($0)" }
    }

    /// All values of a property, which must not be empty.
    private func values<Specifier: BitwiseCopyable, Value: BitwiseCopyable>(
        _ property: AudioFilePropertyID, _ specifier: Specifier, _ zero: Value
    ) -> [Value] {
        var specifier = specifier
        let specifierBytes = UInt32(MemoryLayout<Specifier>.size)
        var byteCount: UInt32 = 0
        unsafe expectEqual(
            AudioFileGetGlobalInfoSize(property, specifierBytes, &specifier, &byteCount), noErr)
        var values = [Value](repeating: zero, count: Int(byteCount) / MemoryLayout<Value>.stride)
        guard !values.isEmpty else { return [] }
        unsafe expectEqual(
            AudioFileGetGlobalInfo(property, specifierBytes, &specifier, &byteCount, &values), noErr)
        return values
    }
}
