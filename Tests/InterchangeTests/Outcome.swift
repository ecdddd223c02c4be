// SPDX-License-Identifier: MIT

/// The result of one audio format in one encoding.
struct Outcome: Sendable {
    var layout: SoundLayout
    /// Whether it was refused as expected.
    var isRefused = false
    var hasExactFrames = false
    /// Whether each sample was unchanged: decoded by aqconvert, and by ffmpeg.
    var isExactHere = false
    var isExactThere = false
    /// The loss relative to the audio, in decibels: of this encoder, and of another.
    var signalToNoise: Double?
    var peerSignalToNoise: Double?
    /// The readers that succeeded.
    var readers: Set<String> = []
    var failures: [String] = []
    /// Failures that are known faults of other programs.
    var foreignFaults: [String] = []

    /// Excludes known faults of other programs.
    mutating func sortFailures(of encoding: Encoding) {
        for failure in failures {
            guard let fault = KnownFault.explaining(failure, of: encoding, layout) else { continue }
            foreignFaults.append("\(failure): \(fault.reason)")
        }
        failures.removeAll { KnownFault.explaining($0, of: encoding, layout) != nil }
    }
}

extension [Outcome] {
    /// The number that passed a test.
    func counted(_ test: (Outcome) -> Bool) -> Int { reduce(0) { $0 + (test($1) ? 1 : 0) } }
}
