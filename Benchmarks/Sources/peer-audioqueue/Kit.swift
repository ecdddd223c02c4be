// SPDX-License-Identifier: MIT

import AQDevices
import Glibc
import PeerKit

/// The options of the command line.
struct Options {
    let hasOutput: Bool
    let hasInput: Bool
    let streams: Int
    let rate: Double
    let channels: Int
    let bufferFrames: Int
    let buffers: Int
    let seconds: Double
    let source: String?
    /// The options that only this peer has.
    let own: OwnOptions

    var frameBytes: Int { channels * MemoryLayout<Float>.size }

    /// Reads the command line, or ends the process for wrong usage.
    static func parse() -> Options {
        let (own, count) = OwnOptions.take()
        let read = unsafe peer_begin(
            "peer-audioqueue", Int32(PEER_ASKS_BOTH), Int32(PEER_DUPLEX), Int32(PEER_STREAMS_MAX),
            count, CommandLine.unsafeArgv
        ).pointee
        return unsafe Options(
            hasOutput: read.mode & Int32(PEER_OUTPUT) != 0, hasInput: read.mode & Int32(PEER_INPUT) != 0,
            streams: Int(read.streams), rate: Double(read.rate), channels: Int(read.channels),
            bufferFrames: Int(read.buffer_frames), buffers: Int(read.buffers), seconds: read.seconds,
            source: read.source.map { unsafe String(cString: $0) }, own: own)
    }

    /// The sink of a stream; nil for the server's default.
    static func sink(of stream: Int) -> String? {
        unsafe peer_sink_of(Int32(stream)).map { unsafe String(cString: $0) }
    }
}

func report(_ key: String, _ value: String) { unsafe peer_note(key, value) }
func report(_ key: String, _ value: Int) { unsafe peer_note_number(key, Double(value)) }
func event(_ name: StaticString) {
    // SAFETY: the kit keeps the pointer, which is valid forever because the string is static.
    unsafe UnsafeRawPointer(name.utf8Start).withMemoryRebound(
        to: CChar.self, capacity: name.utf8CodeUnitCount + 1
    ) {
        unsafe peer_event($0)
    }
}

func fail(_ what: String, _ why: String) -> Never { unsafe peer_fail(what, why) }
