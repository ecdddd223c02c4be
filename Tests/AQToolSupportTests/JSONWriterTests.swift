// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQToolSupport

@Suite("JSONWriter")
struct JSONWriterTests {
    @Test("nested objects and arrays get their commas")
    func nesting() {
        var json = JSONWriter()
        json.object { json in
            json.key("file")
            json.value("a.wav")
            json.key("frames")
            json.value(Int64.max)
            json.key("ok")
            json.value(true)
            json.key("warnings")
            json.array { json in
                json.value("one")
                json.value("two")
                json.object { _ in }
            }
            json.key("none")
            json.array { _ in }
            json.key("error")
            json.null()
        }
        expectEqual(
            json.text,
            #"{"file":"a.wav","frames":9223372036854775807,"ok":true,"warnings":["one","two",{}],"none":[],"#
                + #""error":null}"#)
    }

    @Test(
        "strings are escaped",
        arguments: [
            (#"a"b\c"#, #""a\"b\\c""#), ("a\nb\r\tc", #""a\nb\r\tc""#),
            ("\u{1B}[31m\0", #""\u001b[31m\u0000""#),
            ("é 日本 😀 /", "\"é 日本 😀 /\""), ("\u{7F}\u{9B}\u{2028}", #""\u007f\u009b\u2028""#), ("", "\"\""),
            ("e\u{301}\r\n", "\"e\u{301}\\r\\n\""),
        ])
    func strings(text: String, expected: String) {
        var json = JSONWriter()
        json.value(text)
        expectEqual(json.text, expected)
    }

    @Test(
        "a number that JSON cannot hold is null",
        arguments: [
            (1.5, "1.500"), (-0.25, "-0.250"), (0, "0.000"), (.nan, "null"), (.infinity, "null"),
            (1e18, "null"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) {
        var json = JSONWriter()
        json.value(value, decimals: 3)
        expectEqual(json.text, expected)
    }
}
