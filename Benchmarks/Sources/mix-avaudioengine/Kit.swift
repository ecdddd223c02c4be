// SPDX-License-Identifier: MIT

import Glibc
import PeerKit

/// The options of the command line.
struct Options {
    let files: String
    let players: Int
    let rate: Double
    let bufferFrames: UInt32
    let seconds: Double
    /// --stream: read the files while they are played, instead of before.
    let isStreamed: Bool
    /// --offline: render as fast as possible.
    let isOffline: Bool

    /// Reads the command line, or ends the process for wrong usage.
    static func parse() -> Options {
        let (own, count) = takeOwn(["--stream", "--offline"])
        let read = unsafe peer_begin(
            "mix-avaudioengine", Int32(PEER_ASKS_PERIOD), Int32(PEER_OUTPUT), Int32(PEER_STREAMS_MAX),
            count, CommandLine.unsafeArgv
        ).pointee
        guard let files = unsafe read.files else { fail("--files", "no folder") }
        return unsafe Options(
            files: String(cString: files), players: Int(read.streams), rate: Double(read.rate),
            bufferFrames: UInt32(read.buffer_frames), seconds: read.seconds,
            isStreamed: own.contains("--stream"), isOffline: own.contains("--offline"))
    }

    /// Removes words from the process's command line. Returns those that were there, and the number of the others.
    private static func takeOwn(_ words: Set<String>) -> (found: Set<String>, count: Int32) {
        let arguments = unsafe CommandLine.unsafeArgv
        var found: Set<String> = []
        var kept = 0
        for index in 0..<Int(CommandLine.argc) {
            guard let word = unsafe arguments[index] else { break }
            let text = unsafe String(cString: word)
            if words.contains(text) {
                found.insert(text)
            } else {
                unsafe arguments[kept] = word
                kept += 1
            }
        }
        unsafe arguments[kept] = nil
        return (found, Int32(kept))
    }
}

func fail(_ what: String, _ why: String) -> Never { unsafe peer_fail(what, why) }
