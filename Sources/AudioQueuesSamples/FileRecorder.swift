// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc

/// A file, used by the queue's callback alone until the queue has stopped.
final class Recording: @unchecked Sendable {
    let file: AudioFileWriter

    init(_ file: AudioFileWriter) { self.file = file }
}

let format = try AudioFileType.aiff.pcmFormat(sampleRate: 44_100, channels: 2, bits: 16, isFloat: false)
let recording = Recording(try AudioFileWriter.create(path: "out.aif", type: .aiff, format: format))
let queue = try InputQueue(format: format, device: PulseSource()) { queue, buffer, info in
    do {
        try recording.file.append(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<buffer.byteCount]))
        try? queue.enqueue(buffer)  // refused while the queue stops
    } catch {
        print(error)  // for example, the disk is full: the file is valid up to there
    }
}
let size = InputQueue.deriveBufferSize(format: format, maximumPacketSize: 0, seconds: 0.5)
for _ in 0..<16 {  // eight seconds, for a slow disk
    try queue.enqueue(queue.allocateBuffer(byteCapacity: size.bufferByteCount))
}
try queue.start()
sleep(3)
try queue.stop(immediate: true)  // waits for the callbacks: two seconds at most
try recording.file.close()
