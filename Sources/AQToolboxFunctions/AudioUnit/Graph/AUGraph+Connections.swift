// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published functions for the connections of graphs. They may be called from any thread, also within a slice. Each
// returns `kAudio_ParamError` for NULL and for a graph that does not exist, and `kAUGraphErr_NodeNotFound`.
//
// A change takes effect when the graph is initialized or started, or in a graph that is initialized already, with
// `AUGraphUpdate`.

/// Connects an output of a node to an input of another, which replaces another source of that input.
///
/// - Returns: `kAUGraphErr_InvalidConnection` for a connection that would make a cycle.
@_cdecl("AUGraphConnectNodeInput")
public func auGraphConnectNodeInput(
    _ graph: AUGraph?, _ source: AUNode, _ output: UInt32, _ destination: AUNode, _ input: UInt32
) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in
        try graph.connect(
            GraphInteraction(node: destination, input: input, source: .node(source, output: output)))
    }
}

/// Removes the connection or callback of an input. It is no error if there is none.
@_cdecl("AUGraphDisconnectNodeInput")
public func auGraphDisconnectNodeInput(_ graph: AUGraph?, _ node: AUNode, _ input: UInt32) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.disconnect(node, input) }
}

/// Sets the callback that provides the audio of an input, which replaces another source of that input; a procedure of
/// NULL removes it.
@_cdecl("AUGraphSetNodeInputCallback")
public func auGraphSetNodeInputCallback(
    _ graph: AUGraph?, _ node: AUNode, _ input: UInt32, _ callback: UnsafePointer<AURenderCallbackStruct>?
) -> OSStatus {
    guard let callback = unsafe callback else { return kAudio_ParamError }
    let addresses = unsafe GraphCallback(callback.pointee)
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        guard addresses.procedure != 0 else { return try graph.disconnect(node, input) }
        try graph.connect(GraphInteraction(node: node, input: input, source: .callback(addresses)))
    }
}

/// Removes all connections and callbacks.
@_cdecl("AUGraphClearConnections")
public func auGraphClearConnections(_ graph: AUGraph?) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in graph.disconnectAll() }
}

/// Copies the connections and callbacks of a node, in the order in which they were made.
///
/// - Parameters:
///   - ioCount: The number that the memory has room for; on return the number of those copied, or without memory of all.
@_cdecl("AUGraphGetNodeInteractions")
public func auGraphGetNodeInteractions(
    _ graph: AUGraph?, _ node: AUNode, _ ioCount: UnsafeMutablePointer<UInt32>?,
    _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus {
    guard let ioCount = unsafe ioCount else { return kAudio_ParamError }
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        let found = try graph.interactions(of: node)
        guard let outInteractions = unsafe outInteractions else {
            unsafe ioCount.pointee = UInt32(found.count)
            return
        }
        let count = unsafe min(found.count, Int(ioCount.pointee))
        for index in 0..<count { unsafe outInteractions[index] = unsafe found[index].published }
        unsafe ioCount.pointee = UInt32(count)
    }
}

/// Applies changes to an initialized graph, between two slices. New nodes are initialized.
///
/// - Parameter outIsUpdated: Receives whether all changes have been applied; may be NULL.
/// - Returns: The first error of a connection or unit, for example `kAudioUnitErr_FormatNotSupported`;
///   `kAUGraphErr_CannotDoInCurrentContext` within a slice, and then the changes wait for the next call.
@_cdecl("AUGraphUpdate")
public func auGraphUpdate(_ graph: AUGraph?, _ outIsUpdated: UnsafeMutablePointer<Bool>?) -> OSStatus {
    let status = unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.update() }
    unsafe outIsUpdated?.pointee = status == noErr
    return status
}
