// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import Testing

@Suite("The format of taps")
struct TapFormatTests {
    @Test("is the one that a program asks for: rate, channels and samples are converted")
    func converted() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        let wanted = try #require(
            AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        let got = Mutex<(samples: [Int16], others: Int)>(([], 0))
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 960, format: wanted) { buffer, time in
            got.withLock { got in
                guard buffer.format == wanted, time.sampleRate == 16_000,
                    let data = unsafe buffer.int16ChannelData
                else {
                    got.others += 1
                    return
                }
                unsafe got.samples += Array(
                    UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)))
            }
        }
        try rig.engine.start()
        player.scheduleBuffer(try OfflineRig.buffer(9_600) { _, _ in 0.25 }, completionHandler: nil)
        player.play()
        _ = try rig.render(9_600)
        let (samples, others) = got.withLock { ($0.samples, $0.others) }
        expectEqual(others, 0)
        // The filter holds the last frames.
        #expect(samples.count > 2_700 && samples.count <= 3_200, "\(samples.count)")
        let middle = samples.dropFirst(300).prefix(2_400)
        let isExact = middle.count == 2_400 && middle.allSatisfy { abs(Int($0) - 8_192) <= 4 }
        #expect(isExact, "\(middle.min() ?? 0) to \(middle.max() ?? 0)")
    }
}
