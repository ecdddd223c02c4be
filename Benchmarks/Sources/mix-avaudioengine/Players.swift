// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation

/// Players of an engine, each with a file.
struct Players {
    private let nodes: [AVAudioPlayerNode]

    /// Attaches a player for each file, connects it to a mixer, and schedules the file.
    init(_ options: Options, on engine: AVAudioEngine, to mixer: AVAudioMixerNode) throws {
        nodes = try (0..<options.players).map { number in
            let file = try AVAudioFile(forReading: URL(fileURLWithPath: "\(options.files)/\(number).wav"))
            let player = AVAudioPlayerNode()
            engine.attach(player)
            engine.connect(player, to: mixer, format: file.processingFormat)
            if options.isStreamed {
                player.scheduleFile(file, at: nil)
            } else {
                player.scheduleBuffer(try Self.content(of: file), at: nil, options: .loops)
            }
            return player
        }
    }

    func play() { for node in nodes { node.play() } }

    private static func content(of file: AVAudioFile) throws -> AVAudioPCMBuffer {
        let frames = AVAudioFrameCount(file.length)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: frames) else {
            fail("cannot read '\(file.url.path)'", "no buffer")
        }
        try file.read(into: buffer)
        return buffer
    }
}
