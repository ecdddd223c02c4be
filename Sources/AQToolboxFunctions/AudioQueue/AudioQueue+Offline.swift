// SPDX-License-Identifier: MIT

import AudioQueues
public import CAQAudioToolbox
import CoreAudioTypes

/// Switches a stopped queue from its device to offline rendering, or back if the format is NULL.
///
/// - Parameters:
///   - format: Linear PCM, interleaved unless mono.
///   - layout: The use of the format's channels; NULL for the usual order.
/// - Returns: `kAudioQueueErr_InvalidQueueType` for a queue that records; `kAudioQueueErr_InvalidRunState`;
///   `'fmt?'`; `kAudioQueueErr_InvalidPropertyValue` for a layout of another number of channels, or with an
///   unknown tag; `kAudio_ParamError` for a layout without a format.
@_cdecl("AudioQueueSetOfflineRenderFormat")
public func audioQueueSetOfflineRenderFormat(
    _ queue: AudioQueueRef?, _ format: UnsafePointer<AudioStreamBasicDescription>?,
    _ layout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let output = try object.output()
        guard let format = unsafe format else {
            guard unsafe layout == nil else { throw QueueError(.invalidArgument) }
            return try output.setOfflineRendering(format: nil, channelLabels: nil)
        }
        let wanted = unsafe format.pointee
        guard wanted.validationFailure == nil, wanted.isLinearPCM,
            wanted.isInterleaved || wanted.mChannelsPerFrame == 1
        else { throw QueueError(.unsupportedFormat) }
        var labels: [AudioChannelLabel]?
        if let layout = unsafe layout {
            labels = try QueueProperty.channelLabels(of: wanted) {
                () throws(ChannelLayoutError) -> [AudioChannelLabel] in
                try unsafe PublishedLayout.layout(at: layout).labels
            }
        }
        try output.setOfflineRendering(format: wanted, channelLabels: labels)
    }
}

/// Renders frames of the enqueued buffers.
///
/// Callbacks run inside this call, for each buffer when its last frame is rendered. They run earlier with a
/// tap or a time-pitch unit, which process ahead.
///
/// - Parameters:
///   - time: The time of the first frame for a tap; its sample time must be valid. Frames always follow those
///     rendered before.
///   - buffer: A buffer of this queue that is not enqueued; its byte count is set to the number of bytes rendered.
///   - frames: The number of frames, of which as many as fit are rendered; 0 only makes the callbacks that are due.
/// - Returns: `kAudioQueueErr_InvalidOfflineMode` for a queue that plays on its device;
///   `kAudioQueueErr_InvalidRunState` for a queue that was not started, and within another such call;
///   `kAudioQueueErr_InvalidBuffer`; `kAudioQueueErr_BufferInQueue`; `kAudioQueueErr_InvalidQueueType` for a queue that
///   records; `kAudio_ParamError` for NULL, and for a time without a sample time.
@_cdecl("AudioQueueOfflineRender")
public func audioQueueOfflineRender(
    _ queue: AudioQueueRef?, _ time: UnsafePointer<AudioTimeStamp>?, _ buffer: AudioQueueBufferRef?,
    _ frames: UInt32
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let output = try object.output()
        guard let time = unsafe time, let sampleTime = unsafe time.pointee.validSampleTime else {
            throw QueueError(.invalidArgument)
        }
        try output.renderOffline(at: sampleTime, into: unsafe queueBuffer(buffer), frames: Int(frames))
    }
}
