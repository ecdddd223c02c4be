// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AQTestSupport
import AQToolSupport
import AudioQueues
import Foundation
import Testing

@testable import aqplay

@Suite("Feeder")
struct FeederTests {
    private static let (trackCount, trackFrames) = (60, 960)

    @Test("closes the files that were played, although the main thread does not ask for the position")
    func openFiles() throws {
        let folder = ScratchFolder()
        let samples = [Int16](repeating: 1_000, count: Self.trackFrames)
        let path = try folder.write(RIFFBytes.wave(samples, sampleRate: 48_000), to: "short.wav")
        let tracks = [TrackList.Track](
            repeating: TrackList.Track(path: FilePath(path)), count: Self.trackCount)
        let feeder = Feeder(
            tracks: tracks, options: PlayOptions(), console: Console(toolName: "aqplay", isQuiet: true))
        guard case .open(let playback) = feeder.nextForNewQueue() else {
            throw HarnessError("no first track")
        }
        let queue = try OutputQueue(
            format: playback.format, device: VirtualDevice(),
            configuration: OutputQueue.Configuration(latency: .seconds(0.1))
        ) { queue, buffer in feeder.take(buffer, of: queue) }
        let byteCapacity = Self.trackFrames * 2
        feeder.attach(queue, byteCapacity: byteCapacity, for: playback)
        for _ in 0..<3 { feeder.take(try queue.allocateBuffer(byteCapacity: byteCapacity), of: queue) }
        try queue.start()
        feeder.started()
        var (most, hasRun) = (0, false)
        let isEnded = HostClock.poll(upToSeconds: 20) {
            most = max(most, Self.openings(of: path))
            hasRun = hasRun || queue.isRunning
            return hasRun && !queue.isRunning
        }
        #expect(isEnded)
        #expect((1..<30).contains(most), "\(most) open files")
        let played = feeder.status(playedFrames: .max)?.finished.map(\.framesPlayed)
        #expect(played == [Int64](repeating: Int64(Self.trackFrames), count: Self.trackCount))
    }

    /// The number of descriptors of this process for a file.
    private static func openings(of path: String) -> Int {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}
