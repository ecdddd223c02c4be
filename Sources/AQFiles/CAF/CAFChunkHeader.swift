// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The chunk types that this project reads or writes, by their published codes.
enum CAFChunkType: UInt32 {
    case desc = 0x6465_7363
    case data = 0x6461_7461
    case pakt = 0x7061_6B74
    case kuki = 0x6B75_6B69
    case chan = 0x6368_616E
    case info = 0x696E_666F
    case mark = 0x6D61_726B
    case regn = 0x7265_676E
    case strg = 0x7374_7267
    case free = 0x6672_6565

    var code: FourCharacterCode { FourCharacterCode(rawValue: rawValue) }
}

/// Sizes of headers before chunk contents, as in the published structure `CAFChunkHeader`.
enum CAFChunkHeader {
    static let bytes = 12
    /// The size of the edit count before the audio in its chunk.
    static let editCountBytes: Int64 = 4
}
