// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Testing

@Suite("Source nodes") struct SourceNodeTests {
    /// Memory of a client, with room for each slice.
    @safe private final class ClientMemory {
        let samples: UnsafeMutableBufferPointer<Int16>

        init(_ value: Int16, count: Int) {
            unsafe samples = .allocate(capacity: count)
            unsafe samples.initialize(repeating: value)
        }

        deinit { unsafe samples.deallocate() }
    }

    @Test(
        "may give the memory that they have rendered to, in a format of their own", arguments: [true, false])
    func replacedMemory(isInterleaved: Bool) throws {
        let rig = try OfflineRig()
        let format = try #require(
            AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: isInterleaved))
        nonisolated(unsafe) let memory = ClientMemory(8_192, count: 8_192)
        nonisolated(unsafe) var slices = 0
        let source = unsafe AVAudioSourceNode(format: format) { _, _, frames, list in
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            unsafe slices += 1
            // Every other slice is rendered into the engine's memory.
            for index in unsafe buffers.indices {
                if unsafe slices % 2 == 0 {
                    unsafe buffers[index].mData?.assumingMemoryBound(to: Int16.self).update(
                        repeating: -8_192, count: Int(buffers[index].mDataByteSize) / 2)
                } else {
                    unsafe buffers[index].mData = UnsafeMutableRawPointer(memory.samples.baseAddress)
                }
            }
            return noErr
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        let rendered = try rig.render(1_024, slice: 256)
        for channel in rendered {
            let isRight = channel.indices.allSatisfy { channel[$0] == ($0 / 256 % 2 == 0 ? 0.25 : -0.25) }
            #expect(isRight)
        }
        let isUnchanged = unsafe memory.samples.allSatisfy { $0 == 8_192 }
        unsafe expectEqual(slices, 4)
        #expect(isUnchanged)
    }
}
