// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("aqinfo's JSON")
struct JSONTests {
    @Test("an object for one file, with stable keys")
    func object() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([Int16](repeating: 5, count: 8000)), to: "a.wav")
        let object = try Run(["--json", path]).jsonObject()
        expectEqual(
            object.keys.sorted(),
            [
                "artwork", "bitRate", "bytes", "chunks", "codec", "container", "cookieFields", "damage",
                "dataBytes", "dataOffset", "error", "file", "format", "frames", "information", "labels",
                "largestPacketBytes", "layout",
                "magicCookie", "markers", "packetBytesBound", "packets", "primingFrames", "regions",
                "remainderFrames", "seconds", "warnings",
            ])
        #expect(object["frames"] as? Int == 8000)
        #expect(object["seconds"] as? Double == 1)
        #expect(object["dataOffset"] as? Int == 44)
        #expect((object["format"] as? [String: Any])?["id"] as? String == "lpcm")
        #expect((object["format"] as? [String: Any])?["framesPerPacket"] as? Int == 1)
        #expect((object["chunks"] as? [[String: Any]])?.first?["type"] as? String == "fmt ")
    }

    @Test("an array for several, including unreadable ones")
    func array() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([5]), to: "a.wav")
        let run = Run(["--json", folder.file("missing"), path, path])
        let array = try run.json() as? [[String: Any]]
        expectEqual(run.status, .failure)
        expectEqual(array?.count, 3)
        expectEqual((array?.first?["error"] as? String)?.contains("no such file"), true)
        #expect(array?.first?["file"] as? String == folder.file("missing"))
    }

    @Test("tags with quotes, and repeated keys, are valid")
    func tags() throws {
        let folder = ScratchFolder()
        let list =
            Array("INFO".utf8) + RIFFBytes.chunk("INAM", Array("say \"hi\" \\ there".utf8))
            + RIFFBytes.chunk("ICMT", Array("one".utf8)) + RIFFBytes.chunk("ICMT", Array("two".utf8))
        let path = try folder.write(RIFFBytes.wave([5], more: [("LIST", list)]), to: "a.wav")
        let information = try Run(["--json", path]).jsonObject()["information"] as? [String: String]
        expectEqual(information, ["title": "say \"hi\" \\ there", "comments": "one\ntwo"])
    }

    @Test("the check and the packets are beside the other fields")
    func packetsAndCheck() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([0, 16384, -16384]), to: "a.wav")
        let object = try Run(["--json", "--check", "--packets", "--limit=2", path]).jsonObject()
        let check = object["check"] as? [String: Any]
        #expect(check?["intact"] as? Bool == true)
        #expect(check?["frames"] as? Int == 3)
        #expect(check?["peakDecibels"] as? Double == -6.02)
        let packets = object["packetList"] as? [[String: Any]]
        expectEqual(packets?.count, 2)
        #expect(packets?.last?["offset"] as? Int == 46)
        #expect(packets?.last?["seconds"] as? Double == 0.000125)
    }
}
