// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("aqplay plays a pipe like a file", .serialized, .besideOthers(forSeconds: 60), .timeLimit(.minutes(5)))
struct AqplayPipeTests {
    private let folder: ScratchFolder
    private let server: PulseServer

    init() throws {
        folder = ScratchFolder()
        var options = PulseServer.Options()
        (options.sampleRate, options.channels) = (44100, 2)
        server = try PulseServer(options)
    }

    /// Files of one second, named after their contents.
    private func source(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        let codec = String(name.prefix { $0 != "." })
        let known = ["aac", "alac", "ima4", "ulaw"].contains(codec) ? ["--data", codec] : []
        let made = try ChildProcess.run(
            ToolPaths.tool("aqconvert"), ["--end", "1"] + known + [ToolPaths.fixture("tune.wav"), path])
        try #require(made.exitStatus == 0, "\(made.standardError)")
        return path
    }

    @Test(
        "bit for bit, in pieces of any size",
        arguments: [
            ("pcm.wav", 1000), ("pcm.aiff", 7), ("ulaw.caf", 1000), ("ima4.caf", 1000), ("alac.caf", 7),
            ("aac.caf", 100_000), ("alac.m4a", 1000), ("aac.m4a", 7), ("aac.aac", 1000), ("pcm.flac", 7),
        ])
    func same(name: String, pieceBytes: Int) throws {
        try expectSame(source(name), pieceBytes: pieceBytes)
    }

    #if HAVE_MPEG_AUDIO
    @Test("bit for bit, with an encoder's padding left out", arguments: ["tune-cbr.mp3", "tune-vbr.mp3"])
    func mpeg(name: String) throws { try expectSame(ToolPaths.fixture(name), pieceBytes: 1000) }
    #endif

    private func expectSame(_ path: String, pieceBytes: Int) throws {
        let whole = try AqplayRun([path], on: server)
        whole.expectSuccess()
        let piped = try AqplayRun(pipedFrom: path, pieceBytes: pieceBytes, on: server)
        piped.expectSuccess()
        let sound = whole.played.sound
        #expect(sound.frames > 40_000)
        expectEqual(piped.played.sound.frames, sound.frames)
        #expect(
            try #require(piped.played.compare(to: sound, keyFrames: 2000))
                .isExact(referenceFrames: sound.frames))
    }
}

extension Recording {
    /// The audio between the silence before and after.
    fileprivate var sound: Recording {
        guard let first = samples.firstIndex(where: { $0 != 0 }),
            let last = samples.lastIndex(where: { $0 != 0 })
        else { return slice(0..<0) }
        return slice(first / channels..<last / channels + 1)
    }
}
