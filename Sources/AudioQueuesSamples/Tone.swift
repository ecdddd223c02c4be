// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import Glibc

/// A tone, used by the queue's callback alone.
final class Tone: @unchecked Sendable {
    var phase: Float = 0

    func fill(_ buffer: QueueBuffer) {
        let samples = buffer.bytes.bindMemory(to: Float.self)
        for index in samples.indices {
            samples[index] = phase < 0.5 ? 0.1 : -0.1
            phase = (phase + 440.0 / 48_000).truncatingRemainder(dividingBy: 1)
        }
        buffer.byteCount = buffer.byteCapacity
    }
}

let tone = Tone()
let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
let queue = try OutputQueue(format: format, device: PulseDevice()) { queue, buffer in
    tone.fill(buffer)
    try? queue.enqueue(buffer)  // refused while the queue stops
}
for _ in 0..<3 {
    let buffer = try queue.allocateBuffer(byteCapacity: 48_000 / 10 * 4)
    tone.fill(buffer)
    try queue.enqueue(buffer)
}
try queue.start()
sleep(2)
try queue.stop(immediate: true)
