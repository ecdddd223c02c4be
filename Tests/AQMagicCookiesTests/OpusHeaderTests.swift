// SPDX-License-Identifier: MIT

import AQMagicCookies
import Testing

@Suite("Headers of Opus")
struct OpusHeaderTests {
    /// Stereo, 312 frames, 44,100 Hz, -6 dB.
    static let stereo: [UInt8] =
        Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x44, 0xAC, 0, 0, 0, 0xFA, 0]
    static let surround: [UInt8] =
        Array("OpusHead".utf8) + [1, 6, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 1, 4, 2, 0, 4, 1, 2, 3, 5]

    @Test("have the streams of one or two channels, or a table of more")
    func fields() throws {
        let stereo = try OpusHeader(bytes: Self.stereo + [9, 9])
        #expect(stereo.channels == 2 && stereo.preSkip == 312 && stereo.sourceSampleRate == 44_100)
        #expect(stereo.gain == -6 * 256 && stereo.mappingFamily == 0)
        #expect(stereo.streams == 1 && stereo.coupledStreams == 1 && stereo.mapping == [0, 1])
        let surround = try OpusHeader(bytes: Self.surround)
        #expect(surround.channels == 6 && surround.mappingFamily == 1 && surround.streams == 4)
        #expect(surround.coupledStreams == 2 && surround.mapping == [0, 4, 1, 2, 3, 5])
        let usual = try OpusHeader(channels: 6)
        #expect(usual.mapping == surround.mapping && usual.streams == 4 && usual.coupledStreams == 2)
        let mono = try OpusHeader(channels: 1)
        #expect(mono.streams == 1 && mono.coupledStreams == 0 && mono.mapping == [0])
    }

    @Test("with a wrong field are refused by its name")
    func faults() {
        func reason(_ change: (inout [UInt8]) -> Void) -> String {
            var bytes = Self.surround
            change(&bytes)
            do throws(MagicCookieError) {
                _ = try OpusHeader(bytes: bytes)
                return ""
            } catch {
                return error.message
            }
        }
        #expect(reason { $0[0] = 0 }.contains("does not begin with 'OpusHead'"))
        #expect(reason { $0.removeLast(9) }.contains("18 of its 19 bytes"))
        #expect(reason { $0.removeLast() }.contains("26 of the 27 bytes for 6 channels"))
        #expect(reason { $0[8] = 16 }.contains("version 1"))
        #expect(reason { $0[9] = 0 }.contains("no channels"))
        #expect(reason { $0[18] = 0 }.contains("6 channels in family 0"))
        #expect(reason { $0[18] = 3 }.contains("family 3"))
        #expect(reason { $0[19] = 0 }.contains("0 streams"))
        #expect(reason { $0[20] = 5 }.contains("4 streams, 5 of them"))
        #expect(reason { $0[21] = 6 }.contains("channel 6 of the 6"))
        #expect(reason { $0[21] = 255 }.isEmpty)
        #expect(
            reason { $0 = Array($0[..<9]) + [9] + $0[10...] + [0, 0, 0] }.contains("9 channels in family 1"))
        #expect(throws: MagicCookieError.self) { try OpusHeader(channels: 9) }
    }
}
