// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import AQSoundHarness
import Synchronization
import AQTestSupport

/// A microphone whose clock differs from the host's: a source of the server that a thread fills with a sine.
final class DriftingSource: Sendable {
    static let name = "drifting"
    static let (sampleRate, frequency, amplitude) = (48_000, 120.0, Float(0.5))
    /// The deviation of the clock, in millionths.
    static let deviation = -200.0
    private static let blockFrames = 48

    private let server: PulseServer
    private let path: String
    private let module: Int
    private let isEnded = Atomic<Bool>(false)
    private let isWriting = Atomic<Bool>(false)

    init(on server: PulseServer) throws {
        self.server = server
        path = "\(server.folder)/microphone"
        module = try server.loadModule(
            "module-pipe-source",
            [
                "file=\(path)", "source_name=\(Self.name)", "format=float32le", "rate=\(Self.sampleRate)",
                "channels=1",
            ])
    }

    /// Begins. To be called once the source is captured: the server reads nothing before.
    func begin() throws {
        let file = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            throw HarnessError("cannot open \(path): \(unsafe String(cString: strerror(errno)))")
        }
        let seconds = Double(Self.blockFrames) / (Double(Self.sampleRate) * (1 + Self.deviation / 1e6))
        isWriting.store(true, ordering: .releasing)
        Thread.detachNewThread { [self] in
            write(to: file, every: seconds * 1e9)
            close(file)
            isWriting.store(false, ordering: .releasing)
        }
    }

    func end() {
        isEnded.store(true, ordering: .relaxed)
        // The thread must not write to a pipe without a reader.
        _ = HostClock.poll(upToSeconds: 5) { !isWriting.load(ordering: .acquiring) }
        try? server.unloadModule(module)
    }

    private func write(to file: Int32, every nanoseconds: Double) {
        let begun = HostClock.now
        var block = [Float](repeating: 0, count: Self.blockFrames)
        var count = 0
        while !isEnded.load(ordering: .relaxed) {
            for index in block.indices {
                let frame = count * Self.blockFrames + index
                let phase = Double(frame) * Self.frequency / Double(Self.sampleRate)
                block[index] = Self.amplitude * Float(sin(2 * .pi * phase.truncatingRemainder(dividingBy: 1)))
            }
            count += 1
            HostClock.wait(until: begun + UInt64(Double(count) * nanoseconds))
            _ = unsafe block.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        }
    }
}
