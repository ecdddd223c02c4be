// SPDX-License-Identifier: MIT

public import CAudioToolbox

// The published functions of graphs, which are not implemented: see ``UnsupportedFunction``. Each returns
// `kAudio_ParamError` for NULL and for a graph that does not exist.

/// Makes a graph without nodes.
///
/// - Returns: `kAudio_ParamError` for NULL, `kAUGraphErr_CannotDoInCurrentContext`.
@_cdecl("NewAUGraph")
public func newAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>?) -> OSStatus {
    guard unsafe outGraph != nil else { return kAudio_ParamError }
    return UnsupportedFunction.newAUGraph.status
}

/// Stops, closes and frees a graph.
@_cdecl("DisposeAUGraph")
public func disposeAUGraph(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.disposeAUGraph.status }

/// Adds a node.
@_cdecl("AUGraphAddNode")
public func auGraphAddNode(
    _ graph: AUGraph?, _ description: UnsafePointer<AudioComponentDescription>?,
    _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus { UnsupportedFunction.auGraphAddNode.status }

/// Removes a node, its unit and its connections.
@_cdecl("AUGraphRemoveNode")
public func auGraphRemoveNode(_ graph: AUGraph?, _ node: AUNode) -> OSStatus {
    UnsupportedFunction.auGraphRemoveNode.status
}

/// Returns the description and the unit of a node.
@_cdecl("AUGraphNodeInfo")
public func auGraphNodeInfo(
    _ graph: AUGraph?, _ node: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
    _ outUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus { UnsupportedFunction.auGraphNodeInfo.status }

/// Connects an output of a node to an input of another.
@_cdecl("AUGraphConnectNodeInput")
public func auGraphConnectNodeInput(
    _ graph: AUGraph?, _ source: AUNode, _ output: UInt32, _ destination: AUNode, _ input: UInt32
) -> OSStatus { UnsupportedFunction.auGraphConnectNodeInput.status }

/// Removes the connection or callback of an input.
@_cdecl("AUGraphDisconnectNodeInput")
public func auGraphDisconnectNodeInput(_ graph: AUGraph?, _ node: AUNode, _ input: UInt32) -> OSStatus {
    UnsupportedFunction.auGraphDisconnectNodeInput.status
}

/// Sets the callback that provides the audio of an input.
@_cdecl("AUGraphSetNodeInputCallback")
public func auGraphSetNodeInputCallback(
    _ graph: AUGraph?, _ node: AUNode, _ input: UInt32, _ callback: UnsafePointer<AURenderCallbackStruct>?
) -> OSStatus { UnsupportedFunction.auGraphSetNodeInputCallback.status }

/// Removes all connections and callbacks.
@_cdecl("AUGraphClearConnections")
public func auGraphClearConnections(_ graph: AUGraph?) -> OSStatus {
    UnsupportedFunction.auGraphClearConnections.status
}

/// Copies the connections and callbacks of a node.
@_cdecl("AUGraphGetNodeInteractions")
public func auGraphGetNodeInteractions(
    _ graph: AUGraph?, _ node: AUNode, _ ioCount: UnsafeMutablePointer<UInt32>?,
    _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus { UnsupportedFunction.auGraphGetNodeInteractions.status }

/// Applies changes to a running graph.
@_cdecl("AUGraphUpdate")
public func auGraphUpdate(_ graph: AUGraph?, _ outIsUpdated: UnsafeMutablePointer<Bool>?) -> OSStatus {
    UnsupportedFunction.auGraphUpdate.status
}

/// Makes the units of the nodes.
@_cdecl("AUGraphOpen")
public func auGraphOpen(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.auGraphOpen.status }

/// Frees the units of the nodes.
@_cdecl("AUGraphClose")
public func auGraphClose(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.auGraphClose.status }

/// Sets formats along the connections, and initializes the units.
@_cdecl("AUGraphInitialize")
public func auGraphInitialize(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.auGraphInitialize.status }

/// Uninitializes the units.
@_cdecl("AUGraphUninitialize")
public func auGraphUninitialize(_ graph: AUGraph?) -> OSStatus {
    UnsupportedFunction.auGraphUninitialize.status
}

/// Starts the output unit.
@_cdecl("AUGraphStart")
public func auGraphStart(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.auGraphStart.status }

/// Stops the output unit.
@_cdecl("AUGraphStop")
public func auGraphStop(_ graph: AUGraph?) -> OSStatus { UnsupportedFunction.auGraphStop.status }

/// Returns whether a graph is open.
@_cdecl("AUGraphIsOpen")
public func auGraphIsOpen(_ graph: AUGraph?, _ outIsOpen: UnsafeMutablePointer<Bool>?) -> OSStatus {
    UnsupportedFunction.auGraphIsOpen.status
}

/// Returns whether a graph is initialized.
@_cdecl("AUGraphIsInitialized")
public func auGraphIsInitialized(
    _ graph: AUGraph?, _ outIsInitialized: UnsafeMutablePointer<Bool>?
) -> OSStatus { UnsupportedFunction.auGraphIsInitialized.status }

/// Returns whether a graph is running.
@_cdecl("AUGraphIsRunning")
public func auGraphIsRunning(_ graph: AUGraph?, _ outIsRunning: UnsafeMutablePointer<Bool>?) -> OSStatus {
    UnsupportedFunction.auGraphIsRunning.status
}

/// Adds a procedure that is called before and after each render of the output unit.
@_cdecl("AUGraphAddRenderNotify")
public func auGraphAddRenderNotify(
    _ graph: AUGraph?, _ procedure: AURenderCallback?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus { UnsupportedFunction.auGraphAddRenderNotify.status }

/// Prints an object on standard output, for debugging; for a pointer without an object, that there is none.
@_cdecl("CAShow")
public func caShow(_ object: UnsafeMutableRawPointer?) {
    _ = UnsupportedFunction.caShow
    print("0x\(String(UInt(bitPattern: object), radix: 16)): no such object")
}
