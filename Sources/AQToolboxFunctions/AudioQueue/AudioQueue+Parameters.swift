// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox

/// Returns the value of a parameter in effect.
///
/// - Returns: `kAudioQueueErr_InvalidParameter` for an unknown parameter, `kAudioQueueErr_InvalidQueueType`
///   for a queue that records, `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueGetParameter")
public func audioQueueGetParameter(
    _ queue: AudioQueueRef?, _ parameter: AudioQueueParameterID,
    _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outValue = unsafe outValue else { throw QueueError(.invalidArgument) }
        let output = try object.output()
        let value: Float =
            switch parameter {
            case kAudioQueueParam_Volume: output.volume
            case kAudioQueueParam_PlayRate: output.playRate
            case kAudioQueueParam_Pitch: output.pitchCents
            case kAudioQueueParam_VolumeRampTime: object.settings.withLock { $0.volumeRampSeconds }
            case kAudioQueueParam_Pan: output.pan
            default: throw QueueError(.invalidParameter)
            }
        unsafe outValue.pointee = value
    }
}

/// Sets a parameter for the audio that has not been played, or the ramp time of later changes of the volume.
///
/// COMPAT: a value out of range becomes the nearest value in the range, without an error.
///
/// - Returns: As ``audioQueueGetParameter(_:_:_:)``.
@_cdecl("AudioQueueSetParameter")
public func audioQueueSetParameter(
    _ queue: AudioQueueRef?, _ parameter: AudioQueueParameterID, _ value: AudioQueueParameterValue
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let output = try object.output()
        switch try QueueParameter(parameter, value) {
        case .volume(let gain):
            output.setVolume(gain, rampSeconds: Double(object.settings.withLock { $0.volumeRampSeconds }))
        case .playRate(let rate): try output.setPlayRate(rate)
        case .pitch(let cents): try output.setPitch(cents: cents)
        case .pan(let pan): try output.setPan(pan)
        case .volumeRamp(let seconds): object.settings.withLock { $0.volumeRampSeconds = seconds }
        }
    }
}

/// A parameter with a value in its range.
enum QueueParameter: Equatable {
    case volume(Float)
    case playRate(Float)
    case pitch(cents: Float)
    /// The duration of later volume changes.
    case volumeRamp(seconds: Float)
    case pan(Float)

    /// Makes a parameter with the nearest value in its range. A value that is not a number silences the volume,
    /// and resets the other parameters to no effect.
    ///
    /// - Throws: ``QueueError/Code/invalidParameter`` for an unknown parameter.
    init(_ parameter: AudioQueueParameterID, _ value: AudioQueueParameterValue) throws(QueueError) {
        func clamped(_ range: ClosedRange<Float>, otherwise: Float) -> Float {
            value.isNaN ? otherwise : min(max(value, range.lowerBound), range.upperBound)
        }
        switch parameter {
        case kAudioQueueParam_Volume: self = .volume(clamped(0...1, otherwise: 0))
        case kAudioQueueParam_PlayRate: self = .playRate(clamped(0.5...2, otherwise: 1))
        case kAudioQueueParam_Pitch: self = .pitch(cents: clamped(-2400...2400, otherwise: 0))
        case kAudioQueueParam_VolumeRampTime: self = .volumeRamp(seconds: clamped(0...3600, otherwise: 0))
        case kAudioQueueParam_Pan: self = .pan(clamped(-1...1, otherwise: 0))
        default: throw QueueError(.invalidParameter)
        }
    }
}

extension AudioQueueObject {
    /// Makes the events of an enqueued buffer.
    ///
    /// The duration of a ramp is the last one set, in this list or before. It applies to later changes, too.
    func events(of parameters: [QueueParameter]) -> [QueueParameterEvent] {
        settings.withLock { settings in
            var events: [QueueParameterEvent] = []
            for parameter in parameters {
                switch parameter {
                case .volume(let gain):
                    events.append(.volume(gain, rampSeconds: settings.volumeRampSeconds))
                case .playRate(let rate): events.append(.playRate(rate))
                case .pitch(let cents): events.append(.pitch(cents: cents))
                case .pan(let pan): events.append(.pan(pan))
                case .volumeRamp(let seconds): settings.volumeRampSeconds = seconds
                }
            }
            return events
        }
    }
}
