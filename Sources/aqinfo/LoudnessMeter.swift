// SPDX-License-Identifier: MIT

import CAQEBUR128
import CoreAudioTypes

/// The loudness of a stream of samples as in EBU R 128, measured by libebur128.
@safe final class LoudnessMeter {
    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private var truePeak = 0.0
    private var hasFailed = false

    /// A measurement that could not be made, with the reason.
    struct Failure: Error, Equatable { var message: String }

    /// - Throws: ``Failure`` if libebur128 is not installed, or does not support the rate or the channels.
    init(sampleRate: Double, labels: [AudioChannelLabel]) throws(Failure) {
        var reason: UnsafePointer<CChar>?
        let rate = UInt(sampleRate.rounded().clamped(to: 0...1e9))
        guard let made = unsafe aq_loudness_create(UInt32(labels.count), rate, &reason) else {
            let words = unsafe reason.map { unsafe String(cString: $0) } ?? "out of memory"
            throw Failure(message: "cannot measure the loudness: \(words)")
        }
        unsafe handle = made
        for (index, label) in labels.enumerated() {
            unsafe aq_loudness_set_weight(made, UInt32(index), Self.weight(of: label))
        }
    }

    deinit { unsafe aq_loudness_delete(handle) }

    /// Adds whole frames of interleaved samples.
    func add(_ samples: Span<Float>, channels: Int) {
        let frames = samples.count / channels
        let isAdded = unsafe samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return true }
            return unsafe aq_loudness_add(handle, start, frames)
        }
        if !isAdded { hasFailed = true }
    }

    /// Ends the measurement, and returns its values.
    func end() throws(Failure) -> Loudness {
        truePeak = unsafe aq_loudness_true_peak(handle)
        unsafe aq_loudness_end(handle)
        return try Self.measure([self])
    }

    /// The values of ended measurements together, as of an album.
    static func measure(_ meters: [LoudnessMeter]) throws(Failure) -> Loudness {
        var values = aq_loudness_values()
        let handles = unsafe meters.map { unsafe $0.handle }
        let isMeasured = unsafe aq_loudness_measure(handles, handles.count, &values)
        guard isMeasured, !meters.contains(where: \.hasFailed) else {
            throw Failure(message: "cannot measure the loudness: out of memory")
        }
        return Loudness(
            integrated: values.integrated.isFinite ? values.integrated : nil, range: values.range,
            truePeak: meters.map(\.truePeak).max() ?? 0)
    }

    private static func weight(of label: AudioChannelLabel) -> aq_loudness_weight {
        switch label {
        case kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LFE2, kAudioChannelLabel_Unused:
            aq_loudness_none
        case kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround,
            kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_RightSurroundDirect:
            aq_loudness_surround
        default: aq_loudness_front
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
