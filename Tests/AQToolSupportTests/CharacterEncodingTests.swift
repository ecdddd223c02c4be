// SPDX-License-Identifier: MIT

import Testing
import AQToolSupport

@Suite("CharacterEncoding")
struct CharacterEncodingTests {
    @Test("the locale states whether text is UTF-8")
    func locale() {
        #expect(CharacterEncoding.isUTF8(environment: [nil, nil, "de_DE.UTF-8"]))
        #expect(CharacterEncoding.isUTF8(environment: ["C.utf8", nil, "C"]))
        #expect(!CharacterEncoding.isUTF8(environment: ["C", nil, "de_DE.UTF-8"]))
        #expect(CharacterEncoding.isUTF8(environment: ["", nil, "de_DE.UTF-8"]))
        #expect(!CharacterEncoding.isUTF8(environment: [nil, nil, nil]))
    }
}
