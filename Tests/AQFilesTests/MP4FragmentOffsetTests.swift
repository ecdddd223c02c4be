// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing

@testable import AQFiles

/// Fragments of several tracks box by box; the first track is audio.
struct MP4MixedFragments {
    /// A run of samples (`trun`).
    struct Run {
        var samples: [[UInt8]]
        /// The stated data offset, from the base of its track's part; nil if it is absent.
        var distance: Int?
        /// True if each sample has a size here; else all have the track's.
        var listsSizes = true
    }

    /// A track's part of a fragment (`traf`).
    struct Part {
        var track: UInt32
        var flags: UInt32 = 0
        var runs: [Run]
    }

    /// The size of a sample of the second track that has none of its own.
    static let usualBytes = 30

    /// Everything before the fragments: a movie with empty tables.
    static var head: [UInt8] { head(of: MP4File()) }

    static func head(of file: MP4File) -> [UInt8] {
        var source = file
        source.packets = []
        source.userData = MP4File.box("mvex") {
            for (track, bytes) in [(1, 0), (2, usualBytes)] {
                $0.appendFullBox("trex") {
                    for field in [track, 1, 1024, bytes, 0] { $0.append(big: UInt32(field)) }
                }
            }
        }
        return source.bytes
    }

    /// A fragment, with the data of all runs in their order.
    static func fragment(_ parts: [Part]) -> [UInt8] {
        let data = parts.flatMap(\.runs).flatMap(\.samples).flatMap { $0 }
        return box(parts) + MP4File.box("mdat") { $0.append(raw: data) }
    }

    /// A fragment of audio alone.
    static func fragment(ofSound samples: [[UInt8]], listsSizes: Bool = true) -> [UInt8] {
        func parts(_ distance: Int) -> [Part] {
            [Part(track: 1, runs: [Run(samples: samples, distance: distance, listsSizes: listsSizes)])]
        }
        return fragment(parts(box(parts(0)).count + 8))
    }

    static func box(_ parts: [Part]) -> [UInt8] {
        MP4File.box("moof") {
            $0.appendFullBox("mfhd") { $0.append(big: UInt32(1)) }
            for part in parts {
                $0.appendBox("traf") {
                    $0.appendFullBox("tfhd", flags: part.flags) { $0.append(big: part.track) }
                    for run in part.runs { append(run, to: &$0) }
                }
            }
        }
    }

    private static func append(_ run: Run, to bytes: inout HeaderBytes) {
        let flags: UInt32 = (run.distance == nil ? 0 : 1) | (run.listsSizes ? 0x200 : 0)
        bytes.appendFullBox("trun", flags: flags) {
            $0.append(big: UInt32(run.samples.count))
            if let distance = run.distance { $0.append(big: Int32(distance)) }
            if run.listsSizes { for sample in run.samples { $0.append(big: UInt32(sample.count)) } }
        }
    }
}

@Suite("Offsets of data in fragments")
struct MP4FragmentOffsetTests {
    private typealias Run = MP4MixedFragments.Run
    private typealias Part = MP4MixedFragments.Part

    private static let sound: [[UInt8]] = (0..<6).map { noise(count: 20 + $0, seed: UInt32($0)) }

    private static func pictures(_ bytes: Int...) -> [[UInt8]] { bytes.map { noise(count: $0, seed: 99) } }

    /// The parts of a fragment with an offset of the first run; the audio is the same in all.
    private static func parts(_ kind: Int, first: Int) -> [Part] {
        let usual = MP4MixedFragments.usualBytes
        switch kind {
        case 0:
            // The audio follows video with the movie's sample sizes.
            let run = Run(samples: pictures(usual, usual, usual), distance: first, listsSizes: false)
            return [Part(track: 2, runs: [run]), Part(track: 1, runs: [Run(samples: sound)])]
        case 1:
            // After two runs with sizes of their own, counted from there.
            let runs = [Run(samples: pictures(70, 1), distance: first), Run(samples: pictures(0, 500, 3))]
            return [Part(track: 2, runs: runs), Part(track: 1, runs: [Run(samples: sound, distance: 0)])]
        case 2:
            // Around the video, after a part without samples.
            return [
                Part(track: 1, runs: [Run(samples: Array(sound[..<2]), distance: first)]),
                Part(track: 7, runs: []), Part(track: 2, runs: [Run(samples: pictures(400))]),
                Part(track: 1, runs: [Run(samples: Array(sound[2...]))]),
            ]
        default:
            // All offsets count from the fragment itself.
            let run = Run(samples: pictures(70, 200), distance: first)
            return [
                Part(track: 2, flags: 0x20000, runs: [run]),
                Part(track: 1, flags: 0x20000, runs: [Run(samples: sound, distance: first + 270)]),
            ]
        }
    }

    @Test("follow the track's previous part unless they are stated", arguments: 0..<4, [false, true])
    func implicit(kind: Int, isPiped: Bool) throws {
        let boxBytes = MP4MixedFragments.box(Self.parts(kind, first: 0)).count
        let fragment = MP4MixedFragments.fragment(Self.parts(kind, first: boxBytes + 8))
        let bytes = MP4MixedFragments.head + fragment + fragment
        let saved = TemporaryFile(bytes)
        let file = try isPiped ? openPiped(bytes) : AudioFile.open(path: saved.path)
        let contents = try Contents(of: file)
        expectEqual(contents.bytes, (Self.sound + Self.sound).flatMap { $0 })
        expectEqual(contents.packets, 12)
        #expect(file.warnings.isEmpty)
    }
}
