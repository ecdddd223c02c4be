// SPDX-License-Identifier: MIT

import AQDevices
public import CoreMedia
public import Dispatch
public import Foundation
import Synchronization

/// A client of an ``AVCaptureAudioDataOutput``.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: NSObjectProtocol {
    /// Receives captured audio, on the queue of the delegate. The default does nothing.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - sampleBuffer: Interleaved linear PCM. The presentation time is that of the first frame at the microphone, by
    ///     the clock of host times. The buffer may be kept.
    ///   - connection: The connection, which has the levels.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
    ) {}
}

/// Delivers captured audio to a delegate, in buffers of 1024 frames.
///
/// Properties may be used from any thread. If 64 buffers wait for the delegate's queue, the next ones are dropped.
open class AVCaptureAudioDataOutput: AVCaptureOutput {
    /// A delegate and its queue.
    struct Target {
        var delegate: any AVCaptureAudioDataOutputSampleBufferDelegate
        var queue: DispatchQueue
    }

    private struct State {
        weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var audioSettings: [String: Any]?
    }

    private let state = Monitor(State())
    private let dropped = Atomic(0)

    /// Sets the delegate, which is not retained, and the queue on which it is called; nil for none.
    ///
    /// After the return, only a call that runs on the old queue may still reach the old delegate.
    ///
    /// - Parameter sampleBufferCallbackQueue: A serial queue. If it is nil, a queue of the library is used.
    open func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        let queue: DispatchQueue? =
            sampleBufferDelegate == nil
            ? nil : sampleBufferCallbackQueue ?? DispatchQueue(label: "aq captured audio")
        let old = state.withLock { state in
            defer { (state.delegate, state.queue) = (sampleBufferDelegate, queue) }
            return state.queue
        }
        // Released outside the lock.
        withExtendedLifetime(old) {}
    }

    /// The delegate; nil if there is none, or it was released.
    open var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? {
        state.withLock { $0.delegate }
    }

    /// The queue on which the delegate is called.
    open var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The format of the audio; nil for 32-bit floats at the device's rate, with its channels.
    ///
    /// The keys are those of linear PCM. What is missing is the device's. Samples are always interleaved. A change has
    /// an effect at the next start, or at the next change of the session's configuration. If the format is not linear
    /// PCM, the session does not start, and posts ``AVCaptureSession/runtimeErrorNotification``.
    open var audioSettings: [String: Any]! {
        get { requestedSettings }
        set { state.withLock { $0.audioSettings = newValue } }
    }

    /// As ``audioSettings``, without code of a subclass.
    var requestedSettings: [String: Any]? { state.withLock { $0.audioSettings } }

    /// The delegate and its queue; nil if there is none.
    var target: Target? {
        state.withLock { state in
            guard let delegate = state.delegate, let queue = state.queue else { return nil }
            return Target(delegate: delegate, queue: queue)
        }
    }

    /// The number of buffers that were dropped because the delegate's queue did not keep up.
    package var droppedBufferCount: Int { dropped.load(ordering: .relaxed) }

    func countDropped() { dropped.add(1, ordering: .relaxed) }
}
