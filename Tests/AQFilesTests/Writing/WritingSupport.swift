// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc
import Testing

@testable import AQFiles

/// A complete file, or its first bytes.
func bytes(ofFile path: String, atMost limit: Int = 1 << 20) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(count, 0)))
}

/// Bytes that have no order in any sample format, the same at each call.
func noise(count: Int, seed: UInt32 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state &>> 24)
    }
}

extension AudioFileWriter {
    func append(_ bytes: [UInt8]) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe append($0) }
    }
}

/// One way to store samples.
struct SampleKind: Sendable, CustomTestStringConvertible {
    var bits: Int
    var isFloat: Bool

    var testDescription: String { "\(bits)-bit \(isFloat ? "float" : "integer")" }

    static let all = [
        SampleKind(bits: 8, isFloat: false), SampleKind(bits: 16, isFloat: false),
        SampleKind(bits: 24, isFloat: false), SampleKind(bits: 32, isFloat: false),
        SampleKind(bits: 32, isFloat: true), SampleKind(bits: 64, isFloat: true),
    ]
}

extension AudioFileType {
    /// The file types whose headers this project writes itself.
    static let containers: [AudioFileType] = [.wave, .rf64, .aiff, .aiffC, .caf, .wave64]

    /// The reader's name of this file type.
    func containerName(of kind: SampleKind) -> String {
        self == .aiff && kind.isFloat ? "AIFF-C" : name
    }
}
