// SPDX-License-Identifier: MIT

import CAQRealTime

/// The step between the samples of a client and those of a stream that has all channels of the device, by the client's
/// channel map.
///
/// Samples are interleaved, in an encoding whose silence is zero. Used by one thread at a time. Allocates nothing after
/// it was made.
@safe final class ChannelRouting {
    // SAFETY: the memory is allocated here, and freed by deinit.

    /// The client's samples of a slice.
    let clientSamples: UnsafeMutableRawBufferPointer
    /// For each channel of the result, the channel that it gets; -1 for silence.
    private let sources: UnsafeMutablePointer<Int>
    private let sourceChannels: Int
    private let targetChannels: Int
    private let sampleBytes: Int

    /// Returns nil if each channel stays what it is.
    ///
    /// - Parameters:
    ///   - map: For each channel of the device, or for input of the client, the channel that it gets. Channels without
    ///     an entry, and those whose entry names no channel, are silent. Other entries are ignored.
    ///   - capacityFrames: The number of frames in a slice.
    init?(
        _ side: IOUnit.Side, map: [Int], clientChannels: Int, deviceChannels: Int, sampleBytes: Int,
        capacityFrames: Int
    ) {
        let isOutput = side == .output
        (sourceChannels, targetChannels) =
            isOutput ? (clientChannels, deviceChannels) : (deviceChannels, clientChannels)
        self.sampleBytes = sampleBytes
        let channels = 0..<sourceChannels
        let sources = (0..<targetChannels).map { target in
            target < map.count && channels.contains(map[target]) ? map[target] : -1
        }
        if sources == Array(channels) { return nil }
        unsafe self.sources = .allocate(capacity: max(1, targetChannels))
        for index in sources.indices { unsafe self.sources[index] = sources[index] }
        unsafe clientSamples = .allocate(
            byteCount: max(1, capacityFrames * clientChannels * sampleBytes), alignment: 64)
    }

    deinit {
        unsafe sources.deallocate()
        unsafe clientSamples.deallocate()
    }

    /// Converts ``clientSamples`` to the device's samples. REAL-TIME.
    @_noLocks func route(frames: Int, toDevice slice: UnsafeMutableRawBufferPointer) {
        guard let source = unsafe clientSamples.baseAddress, let target = slice.baseAddress else { return }
        unsafe move(frames, from: source, to: target)
    }

    /// Converts the device's samples to ``clientSamples``. REAL-TIME.
    @_noLocks func route(frames: Int, fromDevice samples: UnsafeRawPointer) {
        guard let target = unsafe clientSamples.baseAddress else { return }
        unsafe move(frames, from: samples, to: target)
    }

    @_noLocks private func move(
        _ frames: Int, from samples: UnsafeRawPointer, to target: UnsafeMutableRawPointer
    ) {
        let (sourceBytes, targetBytes) = (sourceChannels &* sampleBytes, targetChannels &* sampleBytes)
        unsafe aq_zero(target, frames &* targetBytes)
        for channel in 0..<targetChannels {
            let source = unsafe sources[channel]
            if source < 0 { continue }
            var from = unsafe samples + source &* sampleBytes
            var to = unsafe target + channel &* sampleBytes
            for _ in 0..<frames {
                unsafe aq_copy(to, from, sampleBytes)
                unsafe from += sourceBytes
                unsafe to += targetBytes
            }
        }
    }
}
