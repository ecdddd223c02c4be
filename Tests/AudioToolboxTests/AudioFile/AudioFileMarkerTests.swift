// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import CoreAudioTypes
import Foundation
import Testing

/// Markers, regions and tags, set as structures in memory.
@Suite struct AudioFileMarkerTests {
    /// The time at which it is set.
    enum Moment: CaseIterable { case before, between, existing }

    private let fixture = AudioFileFixture()
    private let names = ["verse", "loop", "end"].map { $0 as NSString }

    /// A marker has 40 bytes.
    private func marker(_ place: Double, _ name: NSString?, _ identifier: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 40)
        unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe memory.storeBytes(of: place, toByteOffset: 0, as: Float64.self)
            let reference = name.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
            unsafe memory.storeBytes(of: reference, toByteOffset: 8, as: UInt.self)
            unsafe memory.storeBytes(of: identifier, toByteOffset: 16, as: Int32.self)
        }
        return bytes
    }

    /// A region has 24 bytes before its markers.
    private func region(_ identifier: UInt32, _ name: NSString, flags: UInt32, markers: UInt32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 24)
        unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe memory.storeBytes(of: identifier, toByteOffset: 0, as: UInt32.self)
            let reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(name).toOpaque())
            unsafe memory.storeBytes(of: reference, toByteOffset: 8, as: UInt.self)
            unsafe memory.storeBytes(of: flags, toByteOffset: 16, as: UInt32.self)
            unsafe memory.storeBytes(of: markers, toByteOffset: 20, as: UInt32.self)
        }
        return bytes
    }

    private func list(_ count: UInt8, _ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, 0, count, 0, 0, 0] + bytes }

    private func get(_ property: AudioFilePropertyID, _ file: AudioFileID) -> [UInt8] {
        var byteCount: UInt32 = 0
        unsafe expectEqual(AudioFileGetPropertyInfo(file, property, &byteCount, nil), noErr)
        var bytes = [UInt8](repeating: 0, count: Int(byteCount))
        unsafe expectEqual(AudioFileGetProperty(file, property, &byteCount, &bytes), noErr)
        return Array(bytes.prefix(Int(byteCount)))
    }

    private func name(_ bytes: [UInt8], at offset: Int) -> String? {
        let reference = unsafe bytes.withUnsafeBytes { unsafe $0.load(fromByteOffset: offset, as: UInt.self) }
        guard let address = unsafe UnsafeRawPointer(bitPattern: reference) else { return nil }
        return unsafe Unmanaged<NSString>.fromOpaque(address).takeRetainedValue() as String
    }

    /// Sets metadata at a given time, then reads the file, open and reopened.
    private func check(
        _ fileType: AudioFileTypeID, _ moment: Moment, set: (AudioFileID) -> Void, test: (AudioFileID) -> Void
    ) throws {
        let ramp = AudioFileFixture.ramp(frames: 101, for: fileType)
        if moment == .existing { try fixture.writeRamp("sound", fileType, frames: 101) }
        let file =
            moment == .existing
            ? unsafe try fixture.open("sound", .readWritePermission)
            : unsafe try fixture.create("sound", fileType, AudioFileFixture.pcm(for: fileType))
        if moment == .between {
            unsafe expectEqual(fixture.append(Array(ramp[..<100]), to: file, at: 0), noErr)
        }
        unsafe set(file)
        unsafe test(file)
        if moment == .before { unsafe expectEqual(fixture.append(ramp, to: file, at: 0), noErr) }
        if moment == .between {
            unsafe expectEqual(fixture.append(Array(ramp[100...]), to: file, at: 50), noErr)
        }
        unsafe expectEqual(AudioFileClose(file), noErr)
        let opened = unsafe try fixture.open("sound")
        unsafe test(opened)
        unsafe expectEqual(fixture.read(opened, from: 0, packets: 101).bytes, ramp)
    }

    @Test(
        "markers are set before the first packet, after it, and in an existing file",
        arguments: [
            kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType,
        ],
        Moment.allCases)
    func setsMarkers(fileType: AudioFileTypeID, moment: Moment) throws {
        let markers = list(2, marker(5, names[0], 1) + marker(50, names[2], 2))
        unsafe try check(fileType, moment) { file in
            func set(_ byteCount: Int) -> OSStatus {
                withExtendedLifetime(names) {
                    unsafe AudioFileSetProperty(
                        file, kAudioFilePropertyMarkerList, UInt32(byteCount), markers)
                }
            }
            expectEqual(set(markers.count - 1), kAudioFileBadPropertySizeError)
            expectEqual(set(markers.count), noErr)
        } test: { file in
            let got = unsafe get(kAudioFilePropertyMarkerList, file)
            #expect(got.count == 88 && got[4] == 2)
            #expect(got[8..<16] == marker(5, nil, 1)[..<8] && got[48..<56] == marker(50, nil, 2)[..<8])
            #expect(name(got, at: 16) == "verse" && name(got, at: 56) == "end")
        }
    }

    @Test("regions are set the same way, and have markers of their own", arguments: Moment.allCases)
    func setsRegions(moment: Moment) throws {
        let regions = list(
            2,
            region(7, names[1], flags: 3, markers: 2) + marker(5, nil, 1) + marker(50, names[2], 2)
                + region(8, names[0], flags: 0, markers: 0))
        unsafe try check(kAudioFileCAFType, moment) { file in
            func set(_ byteCount: Int) -> OSStatus {
                withExtendedLifetime(names) {
                    unsafe AudioFileSetProperty(
                        file, kAudioFilePropertyRegionList, UInt32(byteCount), regions)
                }
            }
            for byteCount in [7, 8, 31, 32, 100, regions.count - 1] {
                expectEqual(set(byteCount), kAudioFileBadPropertySizeError)
            }
            expectEqual(set(regions.count), noErr)
        } test: { file in
            let got = unsafe get(kAudioFilePropertyRegionList, file)
            #expect(got.count == regions.count && got[4] == 2)
            #expect(name(got, at: 16) == "loop" && name(got, at: 120) == "verse")
            #expect(got[24] == 3 && got[28] == 2)
            // The two markers of the first region.
            #expect(name(got, at: 40) == nil && name(got, at: 80) == "end")
        }
    }

    @Test(
        "tags are set the same way", arguments: [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType],
        Moment.allCases)
    func setsTags(fileType: AudioFileTypeID, moment: Moment) throws {
        let tags = ["title": "a song", "artist": "somebody"] as NSDictionary
        unsafe try check(fileType, moment) { file in
            var reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(tags).toOpaque())
            let status = withExtendedLifetime(tags) {
                unsafe AudioFileSetProperty(file, kAudioFilePropertyInfoDictionary, 8, &reference)
            }
            expectEqual(status, noErr)
        } test: { file in
            let reference = unsafe fixture.property(kAudioFilePropertyInfoDictionary, of: file, UInt(0))
            guard let address = unsafe UnsafeRawPointer(bitPattern: reference.value) else {
                Issue.record("there is no dictionary")
                return
            }
            let got =
                unsafe Unmanaged<NSDictionary>.fromOpaque(address).takeRetainedValue() as? [String: String]
            #expect(got?["title"] == "a song" && got?["artist"] == "somebody")
        }
    }

    /// Expects that metadata is reported as writable exactly if setting it succeeds.
    private func expectHonestReports(_ file: AudioFileID, _ fileType: AudioFileTypeID) {
        let markers = list(1, marker(5, names[0], 1))
        let regions = list(1, region(7, names[1], flags: 3, markers: 0))
        let tags = ["title": "a song"] as NSDictionary
        let reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(tags).toOpaque())
        let values = [
            (kAudioFilePropertyMarkerList, markers), (kAudioFilePropertyRegionList, regions),
            (kAudioFilePropertyInfoDictionary, unsafe withUnsafeBytes(of: reference) { unsafe Array($0) }),
        ]
        for (property, value) in values {
            var isWritable: UInt32 = 9
            unsafe expectEqual(AudioFileGetPropertyInfo(file, property, nil, &isWritable), noErr)
            let status = withExtendedLifetime((names, tags)) {
                unsafe AudioFileSetProperty(file, property, UInt32(value.count), value)
            }
            let names = [property, fileType].map { FourCharacterCode(rawValue: $0).description }
            expectEqual((isWritable == 1), (status == noErr), "\(names)")
        }
    }

    @Test(
        "metadata is reported as writable exactly if it can be set",
        arguments: [
            kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType,
            kAudioFileWave64Type,
        ],
        Moment.allCases)
    func reportsWritable(fileType: AudioFileTypeID, moment: Moment) throws {
        let file =
            moment == .existing
            ? unsafe try fixture.openRamp(fileType, frames: 101, .readWritePermission)
            : unsafe try fixture.createPCM("sound", fileType)
        if moment == .between {
            let ramp = AudioFileFixture.ramp(frames: 101, for: fileType)
            unsafe expectEqual(fixture.append(ramp, to: file, at: 0), noErr)
        }
        unsafe expectHonestReports(file, fileType)
    }

    @Test(
        "metadata of encoded audio is reported as writable exactly if it can be set",
        arguments: [
            (kAudioFileM4AType, kAudioFormatMPEG4AAC), (kAudioFileAAC_ADTSType, kAudioFormatMPEG4AAC),
            (kAudioFileMP3Type, kAudioFormatMPEGLayer3), (kAudioFileCAFType, kAudioFormatMPEG4AAC),
        ], [Moment.before, .between])
    func reportsWritablePackets(types: (AudioFileTypeID, AudioFormatID), moment: Moment) throws {
        var format = AudioFileFixture.packed
        (format.mFormatID, format.mFramesPerPacket) = (types.1, types.1 == kAudioFormatMPEG4AAC ? 1024 : 1152)
        let file = unsafe try fixture.create("packets", types.0, format)
        if moment == .between {
            // MPEG-1 layer III, 128 kbit/s, 44.1 kHz, mono; the other types do not read their packets.
            let packet = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)
            var description = AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
            var packets: UInt32 = 1
            unsafe expectEqual(
                AudioFileWritePackets(
                    file, false, UInt32(packet.count), &description, 0, &packets, packet), noErr)
        }
        unsafe expectHonestReports(file, types.0)
    }

    @Test("a file type without regions refuses them")
    func refusesRegions() throws {
        let file = unsafe try fixture.createPCM("sound", kAudioFileWAVEType)
        let regions = list(1, region(7, names[1], flags: 3, markers: 0))
        unsafe expectEqual(
            AudioFileSetProperty(file, kAudioFilePropertyRegionList, UInt32(regions.count), regions),
            kAudioFileUnsupportedPropertyError)
    }
}
