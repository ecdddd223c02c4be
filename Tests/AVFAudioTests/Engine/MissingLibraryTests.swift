// SPDX-License-Identifier: MIT

import AQGraphs
import Glibc
import AQTestTraits
import Testing

@testable import AVFAudio

@Suite("Effects without their library", .waiting) struct MissingLibraryTests {
    @Test(
        "write a line that names its package",
        arguments: [(true, "libsoxr.so.0", "libsoxr0"), (false, "libSoundTouch.so.1", "libsoundtouch1")])
    func line(isVarispeed: Bool, file: String, package: String) async throws {
        let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [isVarispeed] in
            // No library can be opened.
            var limits = rlimit(rlim_cur: 0, rlim_max: 0)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else {
                exit(71)
            }
            let format = GraphFormat(sampleRate: 48_000, channels: 2)
            let setup = KernelSetup(inputs: [format], output: format, maximumFrames: 512)
            let element = isVarispeed ? EffectStretchers.varispeed() : EffectStretchers.timePitch()
            exit(element.makeKernel(setup) is PassThroughElement ? 0 : 1)
        }
        let line = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            line.contains("not changed: \(file): ") && line.contains("type: apt install \(package)\n"),
            "\(line)")
    }
}
