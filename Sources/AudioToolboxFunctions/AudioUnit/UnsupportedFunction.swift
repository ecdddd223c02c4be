// SPDX-License-Identifier: MIT

import CAudioToolbox

/// The published functions that are not implemented.
///
/// Each has a definition that returns ``status`` for valid arguments. To implement one, replace that definition and
/// delete its case here: another use of the case does not compile.
enum UnsupportedFunction: CaseIterable {
    // AUComponent.h, in AudioUnit+Render.swift.
    case audioUnitProcess

    // AUGraph.h, in AudioUnitGraphs.swift.
    case newAUGraph, disposeAUGraph, auGraphAddNode, auGraphRemoveNode, auGraphNodeInfo
    case auGraphConnectNodeInput, auGraphDisconnectNodeInput, auGraphSetNodeInputCallback
    case auGraphClearConnections, auGraphGetNodeInteractions, auGraphUpdate
    case auGraphOpen, auGraphClose, auGraphInitialize, auGraphUninitialize, auGraphStart, auGraphStop
    case auGraphIsOpen, auGraphIsInitialized, auGraphIsRunning, auGraphAddRenderNotify, caShow

    /// The result of the function for valid arguments.
    var status: OSStatus {
        switch self {
        case .newAUGraph: kAUGraphErr_CannotDoInCurrentContext
        // Without units and graphs, every unit and graph that a program passes is invalid.
        default: kAudio_ParamError
        }
    }
}
