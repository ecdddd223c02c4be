// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published functions that open, initialize and start graphs. They may be called from any thread. Each returns
// `kAudio_ParamError` for NULL and for a graph that does not exist, and `kAUGraphErr_CannotDoInCurrentContext` within a
// slice of the graph if it would have to wait for the end of that slice, and within another callback if it would have
// to wait for the call of another thread.

/// Makes the units of the nodes. Opening an open graph is no error.
///
/// - Returns: The errors of `AudioComponentInstanceNew`.
@_cdecl("AUGraphOpen")
public func auGraphOpen(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.open() }
}

/// Stops the graph, and frees the units of the nodes. The nodes and connections remain.
@_cdecl("AUGraphClose")
public func auGraphClose(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.close() }
}

/// Sets formats along the connections, from source to destination, and initializes the units.
///
/// - Returns: `kAUGraphErr_CannotDoInCurrentContext` if the graph is not open; the errors of connections and of
///   `AudioUnitInitialize`.
@_cdecl("AUGraphInitialize")
public func auGraphInitialize(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.initialize() }
}

/// Stops the graph, and uninitializes the units.
@_cdecl("AUGraphUninitialize")
public func auGraphUninitialize(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.uninitialize() }
}

/// Starts the output unit, after changes that wait have been applied.
///
/// - Returns: `kAudioUnitErr_Uninitialized`, `kAUGraphErr_OutputNodeErr` without an output; the errors of
///   `AudioOutputUnitStart`.
@_cdecl("AUGraphStart")
public func auGraphStart(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.start() }
}

/// Stops the output unit, as `AudioOutputUnitStop`; also within a callback.
@_cdecl("AUGraphStop")
public func auGraphStop(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in graph.stop() }
}

/// Returns whether a graph is open.
@_cdecl("AUGraphIsOpen")
public func auGraphIsOpen(_ graph: AUGraph?, _ outIsOpen: UnsafeMutablePointer<Bool>?) -> OSStatus {
    unsafe answer(graph, outIsOpen, \.isOpen)
}

/// Returns whether a graph is initialized.
@_cdecl("AUGraphIsInitialized")
public func auGraphIsInitialized(
    _ graph: AUGraph?, _ outIsInitialized: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe answer(graph, outIsInitialized, \.isInitialized)
}

/// Returns whether the output unit runs.
@_cdecl("AUGraphIsRunning")
public func auGraphIsRunning(_ graph: AUGraph?, _ outIsRunning: UnsafeMutablePointer<Bool>?) -> OSStatus {
    unsafe answer(graph, outIsRunning, \.isRunning)
}

private func answer(
    _ graph: AUGraph?, _ outAnswer: UnsafeMutablePointer<Bool>?, _ answer: (GraphObject) -> Bool
) -> OSStatus {
    guard let outAnswer = unsafe outAnswer else { return kAudio_ParamError }
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        unsafe outAnswer.pointee = answer(graph)
    }
}
