// SPDX-License-Identifier: MIT

import AQExpectations
import AQNetworkInput
import Testing

@Suite("RemoteAddress")
struct RemoteAddressTests {
    @Test(
        "is normalised",
        arguments: [
            ("http://example.org", "http://example.org/"),
            ("HTTP://Example.ORG:80/A/./b/../C", "http://example.org/A/C"),
            ("https://h:443/", "https://h/"), ("https://h:80/", "https://h:80/"),
            ("http://h:/a", "http://h/a"),
            ("http://h/a b\u{FC}.mp3#t=1", "http://h/a%20b%C3%BC.mp3"),
            ("http://h/100%.mp3?a=\"b\" c%2", "http://h/100%25.mp3?a=%22b%22%20c%252"),
            ("http://h/%7e%2F", "http://h/%7e%2F"), ("http://h?q", "http://h/?q"),
            ("http://h#f", "http://h/"),
            ("http://[2001:DB8::1]:8000/x", "http://[2001:db8::1]:8000/x"),
            ("http://h:8000/;stream.mp3", "http://h:8000/;stream.mp3"),
            ("http://u@b:p%@h/", "http://u%40b:p%25@h/"), ("http://m\u{FC}sik.de/", "http://m%C3%BCsik.de/"),
            ("http://good.org\\@evil.org/", "http://good.org%5C@evil.org/"),
            ("http://h/../../a", "http://h/a"),
            ("http://h//a//", "http://h//a//"), ("http://h/a?b?c/../d", "http://h/a?b?c/../d"),
        ])
    func normalised(text: String, expected: String) throws {
        let address = try #require(RemoteAddress(text))
        expectEqual(address.text, expected)
        expectEqual(RemoteAddress(address.text), address)
    }

    @Test(
        "of another scheme, without host, or with a bad host or port is none",
        arguments: [
            "", "h", "/a", "//h/a", "ftp://h/a", "file:///etc/passwd", "http:", "http:/a", "http:a",
            "http://",
            "http:///a", "http://h:0/", "http://h:65536/", "http://h:+80/", "http://h:8o/", "http://a b/",
            "http://a%20b/", "http://a%2/", "http://[::1/", "http://[1.2.3.4]/", "http://[::1]x/",
            "http://[g::]/",
            "http://h/\n", "http://h/\u{0}", "http://h/a\u{7F}", " http://h/", "http ://h/", "1http://h/",
            "http://h\\a/", "http://user@/", "data:text/plain,a", "javascript:alert(1)",
        ])
    func refused(text: String) {
        expectEqual(RemoteAddress(text), nil)
    }

    @Test("has at most 8 KiB, also after the escaping")
    func length() {
        let room = RemoteAddress.mostBytes - "http://h/".utf8.count
        #expect(RemoteAddress("http://h/" + String(repeating: "a", count: room)) != nil)
        expectEqual(RemoteAddress("http://h/" + String(repeating: "a", count: room + 1)), nil)
        expectEqual(RemoteAddress("http://h/" + String(repeating: " ", count: room / 2)), nil)
        let base = RemoteAddress("http://h/" + String(repeating: "a", count: room - 1) + "/")
        expectEqual(base?.resolved("b"), nil)
        expectEqual(base?.resolved(String(repeating: "b", count: 100_000)), nil)
        expectEqual(RemoteAddress("http://\(String(repeating: "h", count: 256))/"), nil)
    }

    @Test(
        "resolves references as RFC 3986, 5.4 does",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://b/c", "https://b/c"),
            ("a b.ts", "http://a/b/c/a%20b.ts"),
        ])
    func resolved(reference: String, expected: String) throws {
        let base = try #require(RemoteAddress("http://a/b/c/d;p?q"))
        expectEqual(base.resolved(reference)?.text, expected)
    }

    @Test(
        "does not lead to other schemes",
        arguments: ["file:///etc/passwd", "FILE:/a", "g:h", "http:g", "C:\\a.mp3", "a\nb", "data:,a", "///a"])
    func unresolved(reference: String) {
        expectEqual(RemoteAddress("http://a/b")?.resolved(reference), nil)
    }

    @Test("keeps its user for its own host, and not for others")
    func user() throws {
        let base = try #require(RemoteAddress("https://user:secret@h:8000/a/b.m3u8?token=1"))
        expectEqual(base.resolved("c.ts")?.text, "https://user:secret@h:8000/a/c.ts")
        expectEqual(base.resolved("//other/c.ts")?.text, "https://other/c.ts")
        expectEqual(base.description, "https://h:8000/a/b.m3u8?token=1")
        expectEqual("\(base)".contains("secret"), false)
        expectEqual(base.host, "h")
    }

    @Test("bytes in any encoding are escaped")
    func bytes() {
        let name: [UInt8] = [0x66, 0xFC, 0x72]
        expectEqual(RemoteAddress(bytes: Array("http://h/".utf8) + name)?.text, "http://h/f%FCr")
        expectEqual(RemoteAddress("http://h/a/b")?.resolved(bytes: name)?.text, "http://h/a/f%FCr")
    }

    @Test(
        "extension, host and security",
        arguments: [
            ("http://h/a.MP3?b.ogg", "mp3", "h", false), ("https://h.x/a.b/c", "", "h.x", true),
            ("http://h/.m3u", "", "h", false), ("http://h/a.", "", "h", false),
            ("http://u:p@[::1]:80/a.m3u8", "m3u8", "[::1]", false),
            ("http://[::1]:8000/", "", "[::1]", false),
        ])
    func parts(text: String, name: String, host: String, isSecure: Bool) throws {
        let address = try #require(RemoteAddress(text))
        expectEqual(address.pathExtension, name)
        expectEqual(address.host, host)
        expectEqual(address.isSecure, isSecure)
    }
}
