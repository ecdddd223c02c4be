/// What came of one sound in one encoding.
struct Outcome: Sendable {
    var layout: SoundLayout
    /// Whether it was refused, as it had to be.
    var isRefused = false
    var hasExactFrames = false
    /// Whether each sample came back as it was: decoded by aqconvert, and by ffmpeg.
    var isExactHere = false
    var isExactThere = false
    /// How far the loss lies below the sound, in decibels: of this encoder, and of its peer.
    var signalToNoise: Double?
    var peerSignalToNoise: Double?
    /// Who read it.
    var readers: Set<String> = []
    var failures: [String] = []
    /// Failures that are known to be another program's fault.
    var foreignFaults: [String] = []

    /// Sets aside what other programs are known to do wrong.
    mutating func sortFailures(of encoding: Encoding) {
        for failure in failures {
            guard let fault = KnownFault.explaining(failure, of: encoding, layout) else { continue }
            foreignFaults.append("\(failure): \(fault.reason)")
        }
        failures.removeAll { KnownFault.explaining($0, of: encoding, layout) != nil }
    }
}

extension [Outcome] {
    /// How many passed a test.
    func counted(_ test: (Outcome) -> Bool) -> Int { reduce(0) { $0 + (test($1) ? 1 : 0) } }
}
