// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox

/// Copies a property's value.
///
/// - Parameters:
///   - data: Receives the value.
///   - ioSize: The size of the memory in bytes; on return that of the value.
/// - Returns: `kAudioQueueErr_InvalidProperty` for a property that is unknown, can only be set, or does not
///   exist for the format; `kAudioQueueErr_InvalidPropertySize` for too little memory;
///   `kAudioQueueErr_InvalidQueueType` for a property of the other queue type; `kAudioQueueErr_InvalidDevice` for a
///   property of the device if there is none, or no server; `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueGetProperty")
public func audioQueueGetProperty(
    _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ data: UnsafeMutableRawPointer?,
    _ ioSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    var status = noErr
    let failure = unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let found = try QueueProperty.find(property)
        guard let read = found.read else { throw QueueError(.invalidProperty) }
        try found.check(object)
        let answer = try read(object)
        status = unsafe PropertyReply(data, ioSize)
            .status(ofGiving: answer, tooSmall: kAudioQueueErr_InvalidPropertySize)
    }
    return failure == noErr ? status : failure
}

/// Returns the size of a property's value, also of one that can only be set.
///
/// - Returns: As ``audioQueueGetProperty(_:_:_:_:)``.
@_cdecl("AudioQueueGetPropertySize")
public func audioQueueGetPropertySize(
    _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outSize = unsafe outSize else { throw QueueError(.invalidArgument) }
        let found = try QueueProperty.find(property)
        try found.check(object)
        let bytes = try found.byteCount(of: object)
        unsafe outSize.pointee = UInt32(clamping: bytes)
    }
}

/// Sets a property.
///
/// - Parameter data: Copied; the objects that it refers to may be released at once.
/// - Returns: `kAudioQueueErr_InvalidProperty` for a property that is unknown or cannot be set;
///   `kAudioQueueErr_InvalidPropertySize` for another size; `kAudioQueueErr_InvalidPropertyValue`;
///   `kAudioQueueErr_InvalidDevice` for a device or a channel that does not exist; `kAudioQueueErr_CodecNotFound`;
///   `kAudioQueueErr_InvalidRunState` if the property can only be set while the queue is stopped;
///   `kAudioQueueErr_InvalidQueueType` for a property that queues of this type lack, or cannot set; `kAudio_ParamError`
///   for NULL.
@_cdecl("AudioQueueSetProperty")
public func audioQueueSetProperty(
    _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ data: UnsafeRawPointer?, _ byteCount: UInt32
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let found = try QueueProperty.find(property)
        guard let write = found.write else { throw QueueError(.invalidProperty) }
        try found.check(object)
        guard unsafe data != nil || byteCount == 0 else { throw QueueError(.invalidArgument) }
        try write(
            object, unsafe PropertyData(UnsafeRawBufferPointer(start: data, count: Int(byteCount))))
    }
}

/// Adds a listener that is called after each change of a property, where the queue's callbacks run.
///
/// The properties with listeners are `IsRunning`, `ConverterError`, `CurrentDevice`, and the device's sample rate and
/// number of channels. A listener for another property is accepted and not called.
///
/// - Returns: `kAudioQueueErr_InvalidProperty` for an unknown property, `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueAddPropertyListener")
public func audioQueueAddPropertyListener(
    _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ function: AudioQueuePropertyListenerProc?,
    _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let queue = unsafe queue, let function = unsafe function else {
            throw QueueError(.invalidArgument)
        }
        let event = try QueueProperty.find(property).event
        let call = unsafe ListenerCallback(function, userData, queue, property)
        let token = try object.addListener(for: event, call)
        let key = unsafe QueueListeners.Key(property, function, userData)
        object.settings.withLock { $0.listeners.add(key, token) }
    }
}

/// Removes a listener that was added with ``audioQueueAddPropertyListener(_:_:_:_:)`` and the same arguments.
///
/// COMPAT: a listener that was not added is not an error: programs that clean up remove listeners that they
/// may have added.
///
/// - Returns: `kAudioQueueErr_InvalidProperty` for an unknown property, `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueRemovePropertyListener")
public func audioQueueRemovePropertyListener(
    _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ function: AudioQueuePropertyListenerProc?,
    _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let function = unsafe function else { throw QueueError(.invalidArgument) }
        _ = try QueueProperty.find(property)
        let key = unsafe QueueListeners.Key(property, function, userData)
        if let token = object.settings.withLock({ $0.listeners.remove(key) }) {
            object.engine.removeListener(token)
        }
    }
}

extension AudioQueueObject {
    /// Adds a listener to the engine's queue.
    ///
    /// - Returns: The listener's token; nil for a property that changes only by being set.
    fileprivate func addListener(
        for event: QueueProperty.ChangeEvent?, _ call: ListenerCallback
    ) throws(QueueError) -> QueueListenerToken? {
        guard let event else { return nil }
        return switch direction {
        case .output(let queue): try queue.addListener(for: event.output) { _ in call() }
        case .input(let queue): try queue.addListener(for: event.input) { _ in call() }
        }
    }
}
