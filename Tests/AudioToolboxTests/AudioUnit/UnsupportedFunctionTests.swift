// SPDX-License-Identifier: MIT

import CAudioToolbox
import Testing

@testable import AudioToolboxFunctions

/// The functions that are not implemented.
@Suite("Functions without an implementation") struct UnsupportedFunctionTests {
    @Test("return an error for valid arguments", arguments: UnsupportedFunction.allCases)
    func status(function: UnsupportedFunction) { #expect(function.status != noErr) }
}
