// SPDX-License-Identifier: MIT

import AQExpectations
import AQToolboxFunctions
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@Suite struct StreamCallTests {
    @Test(
        "AudioFileStreamParseBytes returns samples, of a file in pieces of any size",
        arguments: [1, 7, 4096])
    func samples(pieceBytes: Int) {
        let probe = StreamProbe()
        expectEqual(probe.openStatus, noErr)
        expectEqual(probe.parse(StreamBytes.wave(frames: 1000), pieceBytes: pieceBytes), noErr)
        expectEqual(probe.finish(), noErr)
        expectEqual(probe.bytes, StreamBytes.samples(frames: 1000))
        expectEqual(probe.packets, 1000)
        #expect(probe.sizes.isEmpty, "samples need no descriptions")
    }

    @Test("packets of varying size have descriptions; 0 bytes and NULL end the stream")
    func describedPackets() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<40), pieceBytes: 100), noErr)
        expectEqual(probe.finish(), noErr)
        expectEqual(probe.packets, 40)
        expectEqual(probe.sizes, (0..<40).map { UInt32(StreamBytes.aacPacket($0).count) })
        expectEqual(probe.bytes, (0..<40).flatMap(StreamBytes.aacPacket))
        try expectEqual(probe.value(kAudioFileStreamProperty_AudioDataPacketCount, 0 as UInt64).get(), 40)
    }

    @Test("0 bytes at an address change nothing")
    func noBytes() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        let stream = try StreamBytes.adts(0..<10)
        expectEqual(probe.parse(Array(stream[..<300])), noErr)
        var byte: UInt8 = 0
        unsafe expectEqual(audioFileStreamParseBytes(probe.handle, 0, &byte, []), noErr)
        expectEqual(probe.parse(Array(stream[300...])), noErr)
        expectEqual(probe.finish(), noErr)
        expectEqual(probe.packets, 10)
    }

    @Test("properties are reported before the first packet, the format first and the readiness last")
    func order() throws {
        let probe = StreamProbe()
        probe.onPackets = { expectEqual($0.properties.last, kAudioFileStreamProperty_ReadyToProducePackets) }
        expectEqual(probe.parse(StreamBytes.wave(frames: 100)), noErr)
        expectEqual(probe.packets, 100)
        expectEqual(
            probe.properties.prefix(2),
            [
                kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
            ])
        expectEqual(
            probe.properties.suffix(2),
            [
                kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_ReadyToProducePackets,
            ])
        expectEqual(Set(probe.properties).count, probe.properties.count)
        #expect(probe.flags.allSatisfy { $0 == .propertyIsCached })
    }

    @Test("every reported property can be read inside the listener")
    func readInside() {
        let probe = StreamProbe()
        var failures: [AudioFileStreamPropertyID] = []
        probe.onProperty = { probe, property in
            if probe.status(property) != noErr { failures.append(property) }
        }
        expectEqual(probe.parse(StreamBytes.wave(frames: 100)), noErr)
        expectEqual(failures, [])
    }

    @Test("AudioFileStreamClose inside the listener ends all calls, and the handle")
    func closeInsideListener() {
        let probe = StreamProbe()
        probe.onProperty = { probe, property in
            if property == kAudioFileStreamProperty_DataFormat { expectEqual(probe.close(), noErr) }
        }
        _ = probe.parse(StreamBytes.wave(frames: 1000))
        expectEqual(probe.properties.last, kAudioFileStreamProperty_DataFormat)
        expectEqual(probe.packets, 0)
        expectEqual(probe.parse([0]), kAudio_ParamError)
        expectEqual(probe.close(), kAudio_ParamError)
    }

    @Test("AudioFileStreamClose inside the packets procedure ends all calls")
    func closeInsidePackets() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        var calls = 0
        probe.onPackets = { probe in
            calls += 1
            expectEqual(probe.close(), noErr)
        }
        _ = probe.parse(try StreamBytes.adts(0..<400))
        expectEqual(calls, 1)
    }

    @Test("parsing and seeking inside a procedure are refused, and harm nothing")
    func parseInside() {
        let probe = StreamProbe()
        var statuses: Set<OSStatus> = []
        probe.onPackets = { probe in
            statuses.insert(probe.parse([1, 2, 3, 4]))
            statuses.insert(probe.seek(to: 0).status)
        }
        expectEqual(probe.parse(StreamBytes.wave(frames: 50)), noErr)
        expectEqual(statuses, [kAudioFileStreamError_IllegalOperation])
        expectEqual(probe.bytes, StreamBytes.samples(frames: 50))
    }

    @Test("an invalid handle gets an error from every function, and is never dereferenced")
    func foreignHandles() {
        let closed = StreamProbe()
        expectEqual(closed.close(), noErr)
        unsafe expectRefusals(of: nil)
        unsafe expectRefusals(of: OpaquePointer(bitPattern: 16))
        unsafe expectRefusals(of: closed.handle)
    }

    private func expectRefusals(of handle: AudioFileStreamID?) {
        var (bytes, byte): (UInt32, Int64) = (4, 0)
        var flags: AudioFileStreamSeekFlags = []
        unsafe expectEqual(audioFileStreamParseBytes(handle, 0, nil, []), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamSeek(handle, 0, &byte, &flags), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamGetPropertyInfo(handle, 0, nil, nil), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamGetProperty(handle, 0, &bytes, &byte), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamSetProperty(handle, 0, 4, &byte), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamClose(handle), kAudio_ParamError)
    }

    @Test("a required pointer that is NULL gets an error")
    func nulls() {
        var opened: AudioFileStreamID?
        unsafe expectEqual(audioFileStreamOpen(nil, nil, nil, 0, &opened), kAudio_ParamError)
        unsafe expectEqual(opened, nil)
        let probe = StreamProbe()
        var bytes: UInt32 = 4
        unsafe expectEqual(audioFileStreamParseBytes(probe.handle, 4, nil, []), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamSeek(probe.handle, 0, nil, nil), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamGetProperty(probe.handle, 0, nil, nil), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamGetProperty(probe.handle, 0, &bytes, nil), kAudio_ParamError)
        unsafe expectEqual(audioFileStreamSetProperty(probe.handle, 0, 4, nil), kAudio_ParamError)
    }
}

/// Seeking, and invalid streams.
extension StreamCallTests {
    @Test("AudioFileStreamSeek returns the exact byte of a packet if packets have one size")
    func exactSeek() {
        let probe = StreamProbe()
        let wave = StreamBytes.wave(frames: 100)
        expectEqual(probe.parse(wave), noErr)
        let place = probe.seek(to: 60)
        expectEqual(place.status, noErr)
        expectEqual(place.byte, 240)
        expectEqual(place.flags, [])
        probe.bytes = []
        expectEqual(probe.parse(Array(wave[(44 + 240)...])), noErr)
        expectEqual(probe.bytes, Array(StreamBytes.samples(frames: 100)[240...]))
    }

    @Test("AudioFileStreamSeek estimates from the packets so far otherwise, and packets continue from there")
    func estimatedSeek() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        let stream = try StreamBytes.adts(0..<200)
        expectEqual(probe.parse(Array(stream[..<5000])), noErr)
        let place = probe.seek(to: 100)
        expectEqual(place.status, noErr)
        expectEqual(place.flags, .offsetIsEstimated)
        #expect(abs(place.byte - Int64(stream.count) / 2) < 2000)
        (probe.bytes, probe.packets) = ([], 0)
        expectEqual(probe.parse(Array(stream[Int(place.byte)...]), .discontinuity), noErr)
        expectEqual(probe.finish(), noErr)
        let expected = (200 - probe.packets..<200).flatMap(StreamBytes.aacPacket)
        expectEqual(probe.bytes, expected)
        #expect(80...120 ~= probe.packets)
    }

    @Test("AudioFileStreamSeek refuses missing packets", arguments: [-1, 100, Int64.max, Int64.min])
    func outside(packet: Int64) {
        let probe = StreamProbe()
        expectEqual(probe.seek(to: 0).status, kAudioFileStreamError_DataUnavailable)
        expectEqual(probe.parse(StreamBytes.wave(frames: 100)), noErr)
        expectEqual(probe.seek(to: packet).status, kAudioFileStreamError_InvalidPacketOffset)
    }

    @Test("after a discontinuity the incomplete packet is dropped, and the next is found")
    func discontinuity() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        let (first, second) = (try StreamBytes.adts(0..<10), try StreamBytes.adts(20..<30))
        expectEqual(probe.parse(Array(first.dropLast(40))), noErr)
        expectEqual(probe.parse(second, .discontinuity), noErr)
        expectEqual(probe.finish(), noErr)
        let expected = (Array(0..<9) + Array(20..<30)).flatMap(StreamBytes.aacPacket)
        expectEqual(probe.bytes, expected)
    }

    @Test("before the first bytes the discontinuity flag has no effect")
    func discontinuityAtTheBeginning() throws {
        let wave = StreamProbe()
        expectEqual(wave.parse(StreamBytes.wave(frames: 10), .discontinuity), noErr)
        expectEqual(wave.bytes, StreamBytes.samples(frames: 10))
        let adts = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(adts.parse([], .discontinuity), noErr)
        expectEqual(adts.parse(try StreamBytes.adts(0..<10), .discontinuity), noErr)
        expectEqual(adts.finish(), noErr)
        expectEqual(adts.bytes, (0..<10).flatMap(StreamBytes.aacPacket))
    }

    @Test("a discontinuity inside the header ends the stream")
    func lostHeader() {
        let probe = StreamProbe()
        expectEqual(probe.parse(Array(StreamBytes.wave(frames: 10)[..<20])), noErr)
        for _ in 0..<2 {
            expectEqual(
                probe.parse([1, 2, 3], .discontinuity), kAudioFileStreamError_DiscontinuityCantRecover)
        }
    }

    @Test("a stream that ends in its header is refused, also at each later call")
    func cutShort() {
        let probe = StreamProbe()
        expectEqual(probe.parse(Array(StreamBytes.wave(frames: 10)[..<30])), noErr)
        for _ in 0..<2 { expectEqual(probe.finish(), kAudioFileStreamError_InvalidFile) }
    }

    @Test("bytes of an unknown type are refused")
    func unknownKind() {
        let probe = StreamProbe()
        let page = Array("<html><body>The station is off the air.</body></html>".utf8)
        expectEqual(probe.parse(page), kAudioFileStreamError_UnsupportedFileType)
    }

    @Test(
        "a wrong or unpublished hint does no harm",
        arguments: [
            kAudioFileMP3Type, kAudioFileAC3Type, 0xDEAD_BEEF,
        ])
    func wrongHint(hint: AudioFileTypeID) {
        let probe = StreamProbe(typeHint: hint)
        expectEqual(probe.parse(StreamBytes.wave(frames: 10)), noErr)
        expectEqual(probe.packets, 10)
    }
}
