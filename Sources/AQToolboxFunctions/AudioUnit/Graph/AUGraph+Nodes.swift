// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published functions for graphs and their nodes. They may be called from any thread. Each returns
// `kAudio_ParamError` for NULL and for a graph that does not exist, and `kAUGraphErr_CannotDoInCurrentContext` within a
// slice of the graph if it would have to wait for the end of that slice, and within another callback if it would have
// to wait for the call of another thread.

/// Makes a graph without nodes.
///
/// - Returns: `kAudio_ParamError` for NULL, `kAudio_MemFullError` if too many graphs exist.
@_cdecl("NewAUGraph")
public func newAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>?) -> OSStatus {
    guard let outGraph = unsafe outGraph else { return kAudio_ParamError }
    let handle = unsafe GraphObject.table.insert(GraphObject())
    unsafe outGraph.pointee = handle
    return unsafe handle == nil ? kAudio_MemFullError : noErr
}

/// Stops, closes and frees a graph, also within a slice. Within a callback that another thread's call may wait for,
/// that call closes it.
@_cdecl("DisposeAUGraph")
public func disposeAUGraph(_ graph: AUGraph?) -> OSStatus {
    guard let object = unsafe GraphObject.table.remove(graph) else { return kAudio_ParamError }
    object.dispose()
    return noErr
}

/// Adds a node; in an open graph with its unit.
///
/// - Returns: `kAUGraphErr_InvalidAudioUnit` if no unit matches, `kAUGraphErr_OutputNodeErr` for a second output,
///   `kAudio_ParamError` for NULL; the errors of `AudioComponentInstanceNew`.
@_cdecl("AUGraphAddNode")
public func auGraphAddNode(
    _ graph: AUGraph?, _ description: UnsafePointer<AudioComponentDescription>?,
    _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
    guard let description = unsafe description?.pointee, let outNode = unsafe outNode else {
        return kAudio_ParamError
    }
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        unsafe outNode.pointee = try graph.addNode(description)
    }
}

/// Removes a node, its unit and its connections, at once.
///
/// - Returns: `kAUGraphErr_NodeNotFound`.
@_cdecl("AUGraphRemoveNode")
public func auGraphRemoveNode(_ graph: AUGraph?, _ node: AUNode) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in try graph.removeNode(node) }
}

/// Returns the description and the unit of a node; the unit is NULL unless the graph is open.
///
/// - Returns: `kAUGraphErr_NodeNotFound`.
@_cdecl("AUGraphNodeInfo")
public func auGraphNodeInfo(
    _ graph: AUGraph?, _ node: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
    _ outUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
    unsafe graphStatus(graph) { (graph) throws(StatusError) in
        let found = try graph.node(node)
        unsafe outDescription?.pointee = found.entry.description
        unsafe outUnit?.pointee = found.instance?.handle
    }
}

/// Adds a procedure that is called before and after each render of the output unit, also of one that is added later.
///
/// - Returns: `kAudio_ParamError` for a null procedure.
@_cdecl("AUGraphAddRenderNotify")
public func auGraphAddRenderNotify(
    _ graph: AUGraph?, _ procedure: AURenderCallback?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        graph.addObserver(unsafe GraphCallback(procedure, userData))
    }
}

/// Removes a procedure that was added with the same arguments. It is no error if there is none.
@_cdecl("AUGraphRemoveRenderNotify")
public func auGraphRemoveRenderNotify(
    _ graph: AUGraph?, _ procedure: AURenderCallback?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe graphStatus(graph) { (graph) throws(StatusError) in
        graph.removeObserver(unsafe GraphCallback(procedure, userData))
    }
}

/// Prints a graph or a unit on standard output, for debugging; for other values, that there is no such object.
@_cdecl("CAShow")
public func caShow(_ object: UnsafeMutableRawPointer?) {
    let handle = OpaquePointer(object)
    let address = "0x\(String(UInt(bitPattern: object), radix: 16))"
    if let graph = unsafe GraphObject.table[handle] {
        for line in graph.lines { print(line) }
    } else if let instance = unsafe UnitInstance.table[handle] {
        let entry = unsafe AudioComponentRegistry.shared[instance.component]
        print("\(address): an instance of \(entry?.name ?? "a unit")")
    } else {
        print("\(address): no such object")
    }
}

/// Calls `body` with the graph of a handle, and returns its status.
func graphStatus(_ handle: AUGraph?, _ body: (GraphObject) throws(StatusError) -> Void) -> OSStatus {
    guard let graph = unsafe GraphObject.table[handle] else { return kAudio_ParamError }
    return StatusError.result { () throws(StatusError) in try body(graph) }
}
