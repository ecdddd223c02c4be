// SPDX-License-Identifier: MIT

import Glibc

/// The requested target; `LLVMFuzzerInitialize` sets it before anything else runs.
nonisolated(unsafe) private var target: (any FuzzTarget)?

/// Takes the name of the target from the command line, or else from the environment.
///
/// The environment passes it on to processes that libFuzzer starts itself, for example to merge a corpus.
@c(LLVMFuzzerInitialize)
public func initialize(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    // SAFETY: libFuzzer passes the count and the vector of `main`, which it may change.
    let count = Int(unsafe argumentCount.pointee)
    let vector = unsafe arguments.pointee
    if count > 1, let first = unsafe vector[1], unsafe first[0] != 0x2D {
        unsafe setenv(variable, first, 1)
        for place in 1..<count { unsafe vector[place] = vector[place + 1] }
        unsafe argumentCount.pointee -= 1
    }
    let name = unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
    unsafe target = makeTarget(named: name)
    guard unsafe target != nil else { fatalError("say which target: \(names.joined(separator: ", "))") }
    return 0
}

/// Runs one input; -1 keeps inputs of other targets out of the corpus.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: byteCount)
    let start = processorSeconds()
    let isForTarget = unsafe target?.test(Array(input)) == true
    // libFuzzer measures elapsed time, of which other processes may use seconds.
    let seconds = processorSeconds() - start
    require(seconds < 1, "no input takes long: \(seconds) s of \(byteCount) bytes")
    return isForTarget ? 0 : -1
}

/// The processor time of all threads so far.
private func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private let variable = "AQ_FUZZ_TARGET"

private let names = [
    "caf", "aiff", "wav", "mp3", "adts", "mp4", "flac", "cookie", "stream", "http", "icy", "playlist",
    "hls", "ts",
]

private func makeTarget(named name: String) -> (any FuzzTarget)? {
    switch name {
    case "caf": FileTarget { $0.starts(with: "caff".utf8) }
    // libsndfile reads a pipe to the promised end of a part, although it ended long before.
    case "aiff": FileTarget(filesPerPipe: 256) { $0.starts(with: "FORM".utf8) }
    case "wav": FileTarget(filesPerPipe: 256) { isWave($0) }
    case "mp3": FileTarget { !isChunked($0) && !isADTS($0) }
    case "adts": FileTarget { isADTS($0) || $0.starts(with: "ID3".utf8) }
    case "mp4": FileTarget { isChunked($0) && !$0.starts(with: "caff".utf8) }
    // Pipes have a reader of their own, and FLAC may begin anywhere there.
    case "flac": FileTarget(filesPerPipe: 1) { isFLAC($0) }
    case "cookie": CookieTarget()
    case "stream": StreamTarget()
    case "http": HTTPTarget()
    case "icy": IcyTarget()
    case "playlist": PlaylistTarget()
    case "hls": HLSTarget()
    case "ts": TransportStreamTarget()
    default: nil
    }
}

/// True for input that begins like a container, with a mark or the size of a box.
private func isChunked(_ input: [UInt8]) -> Bool {
    guard input.count >= 8 else { return true }
    let isMark = input[..<4].allSatisfy { 0x41...0x7A ~= $0 || 0x30...0x39 ~= $0 }
    return isMark && !input.starts(with: "ID3".utf8)
        || input[4..<8].allSatisfy { 0x61...0x7A ~= $0 }
}

private func isWave(_ input: [UInt8]) -> Bool {
    ["RIFF", "RIFX", "RF64", "BW64", "riff"].contains { input.starts(with: $0.utf8) }
}

/// True for input that begins like FLAC, with its mark, a frame, or a page of Ogg.
private func isFLAC(_ input: [UInt8]) -> Bool {
    ["fLaC", "OggS"].contains { input.starts(with: $0.utf8) }
        || input.count >= 2 && input[0] == 0xFF && input[1] & 0xFE == 0xF8
}

private func isADTS(_ input: [UInt8]) -> Bool {
    input.count >= 2 && input[0] == 0xFF && input[1] & 0xF6 == 0xF0
}
