// SPDX-License-Identifier: MIT

import AQGraphs

/// The relation of a node's frames to host times, from the node's last slice.
struct NodeTimeline {
    let sampleRate: Double
    /// The time of a slice; nil in manual rendering, which has no host times.
    private let slice: SliceTime?

    init(sampleRate: Double, slice: SliceTime?) {
        self.sampleRate = sampleRate
        self.slice = slice.flatMap { $0.hostTime == 0 ? nil : $0 }
    }

    /// Returns the node's frame at a host time.
    func frame(atHostTime hostTime: UInt64) -> Int64? {
        guard let slice else { return nil }
        let seconds = (Double(hostTime) - Double(slice.hostTime)) / 1e9
        return slice.sampleTime + Int64((seconds * sampleRate).rounded())
    }

    /// Returns a time.
    ///
    /// - Parameters:
    ///   - sampleTime: The frames of the time.
    ///   - frame: The same in frames of the node, for the host time.
    ///   - given: A time with the host time, if that is valid.
    func time(_ sampleTime: Int64, atFrame frame: Int64, _ given: AVAudioTime) -> AVAudioTime {
        if given.isHostTimeValid {
            return AVAudioTime(hostTime: given.hostTime, sampleTime: sampleTime, atRate: sampleRate)
        }
        guard let slice else { return AVAudioTime(sampleTime: sampleTime, atRate: sampleRate) }
        let hostTime = slice.advanced(frames: Int(frame - slice.sampleTime), sampleRate: sampleRate).hostTime
        return AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: sampleRate)
    }
}
