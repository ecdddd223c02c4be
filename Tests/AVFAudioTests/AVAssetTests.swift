// SPDX-License-Identifier: MIT

import AQExpectations
import AVFoundation
import Foundation
import AQTestSupport
import Testing

@Suite("AVAsset") struct AVAssetTests {
    private let folder = ScratchFolder()

    private func write(_ name: String, _ formatID: AudioFormatID, frames: Int) throws -> URL {
        let url = URL(fileURLWithPath: folder.file(name))
        let settings: [String: Any] = [
            AVFormatIDKey: formatID, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        try file.write(from: buffer)
        return url
    }

    @Test(
        "has the exact duration of a file, and one track of audio",
        arguments: [("a.wav", kAudioFormatLinearPCM), ("a.m4a", kAudioFormatMPEG4AAC)])
    func awaited(name: String, formatID: AudioFormatID) async throws {
        let url = try write(name, formatID, frames: 60_000)
        let asset = AVURLAsset(url: url)
        expectEqual(asset.url, url)
        let duration = try await asset.load(.duration)
        #expect(duration.seconds == 1.25 && duration.timescale == 48_000)
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        let track = try #require(tracks.first)
        #expect(tracks.count == 1 && track.mediaType == .audio && track.asset === asset)
        expectEqual(track.naturalTimeScale, 48_000)
        let (range, scale) = try await (track.load(.timeRange), track.load(.naturalTimeScale))
        #expect(range == CMTimeRange(start: .zero, duration: duration) && scale == 48_000)
        let descriptions = try await track.load(.formatDescriptions)
        #expect(descriptions.count == 1 && track.formatDescriptions.count == 1)
        let description = try #require(descriptions.first)
        expectEqual(CMFormatDescriptionGetMediaSubType(description), formatID)
        expectEqual(AVAudioFormat(cmAudioFormatDescription: description).channelCount, 2)
        #expect(try await track.load(.estimatedDataRate) > 1000)
        #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
        #expect(try await asset.loadTrack(withTrackID: track.trackID) != nil)
        try await expectEqual(asset.loadTrack(withTrackID: 7), nil)
        let (both, isPlayable) = try await asset.load(.tracks, .isPlayable)
        #expect(both.count == 1 && isPlayable)
    }

    @Test("has the properties of before they were awaited") func direct() throws {
        let asset = AVAsset(url: try write("a.wav", kAudioFormatLinearPCM, frames: 24_000))
        expectEqual(CMTimeGetSeconds(asset.duration), 0.5)
        #expect(asset.tracks.count == 1 && asset.tracks(withMediaType: .audio).count == 1)
        #expect(asset.tracks(withMediaType: .video).isEmpty)
        #expect(asset.track(withTrackID: 1) != nil && asset.track(withTrackID: 0) == nil)
        #expect(asset.isPlayable && asset.isReadable && !asset.hasProtectedContent)
        #expect(asset.providesPreciseDurationAndTiming)
    }

    private func error(_ url: URL) async -> NSError? {
        do { _ = try await AVURLAsset(url: url).load(.duration) } catch { return error as NSError }
        return nil
    }

    @Test("a missing, foreign or damaged file has an error, and no tracks") func errors() async throws {
        let missing = URL(fileURLWithPath: folder.file("missing.wav"))
        let error = await error(missing)
        #expect(error?.domain == NSURLErrorDomain && error?.code == NSURLErrorFileDoesNotExist)
        expectEqual(error?.localizedDescription, "cannot open 'missing.wav': no such file")
        let asset = AVURLAsset(url: missing, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        #expect(asset.duration == .zero && asset.tracks.isEmpty && !asset.isPlayable)
        await #expect(throws: NSError.self) { try await asset.loadTracks(withMediaType: .audio) }
        let text = URL(
            fileURLWithPath: try folder.write(Array("no audio at all, but long".utf8), to: "a.txt"))
        let foreign = await self.error(text)
        #expect(foreign?.domain == AVFoundationErrorDomain && foreign?.code == -11828)
        let remote = await self.error(try #require(URL(string: "https://host/a.mp3")))
        #expect(remote?.domain == AVFoundationErrorDomain && remote?.code == -11838)
        // The same asset can be read once the file is there.
        _ = try write("missing.wav", kAudioFormatLinearPCM, frames: 480)
        try await expectEqual(asset.load(.duration).seconds, 0.01)
    }
}
