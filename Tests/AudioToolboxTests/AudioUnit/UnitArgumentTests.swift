// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Units and graphs that do not exist.
@Suite("Arguments of AUComponent.h and AUGraph.h") struct UnitArgumentTests {
    private static let invalidPointers: [UInt] = [0, 1, 0x1000, 0xDEAD_0001, .max]

    /// The results of every function that takes a unit, with otherwise valid arguments.
    private func results(for unit: AudioUnit?) -> [String: OSStatus] {
        var word: UInt32 = 4
        var real: Float = 0
        var flag = false
        var time = AudioTimeStamp()
        var actions: AudioUnitRenderActionFlags = []
        var list = AudioBufferList()
        var event = AudioUnitParameterEvent()
        let running = kAudioOutputUnitProperty_IsRunning
        let global = kAudioUnitScope_Global
        let volume = kHALOutputParam_Volume
        return unsafe [
            "Dispose": audioComponentInstanceDispose(unit),
            "Initialize": audioUnitInitialize(unit),
            "Uninitialize": audioUnitUninitialize(unit),
            "Reset": audioUnitReset(unit, global, 0),
            "GetPropertyInfo": audioUnitGetPropertyInfo(unit, running, global, 0, &word, &flag),
            "GetProperty": audioUnitGetProperty(unit, running, global, 0, &real, &word),
            "SetProperty": audioUnitSetProperty(unit, running, global, 0, &real, 4),
            "AddPropertyListener": audioUnitAddPropertyListener(unit, running, ignoreChange, nil),
            "RemovePropertyListenerWithUserData":
                audioUnitRemovePropertyListenerWithUserData(unit, running, ignoreChange, nil),
            "RemovePropertyListener": audioUnitRemovePropertyListener(unit, running, ignoreChange),
            "AddRenderNotify": audioUnitAddRenderNotify(unit, renderNothing, nil),
            "RemoveRenderNotify": audioUnitRemoveRenderNotify(unit, renderNothing, nil),
            "GetParameter": audioUnitGetParameter(unit, volume, global, 0, &real),
            "SetParameter": audioUnitSetParameter(unit, volume, global, 0, 1, 0),
            "ScheduleParameters": audioUnitScheduleParameters(unit, &event, 1),
            "Render": audioUnitRender(unit, &actions, &time, 0, 64, &list),
            "Process": audioUnitProcess(unit, &actions, &time, 64, &list),
            "Start": audioOutputUnitStart(unit),
            "Stop": audioOutputUnitStop(unit),
        ]
    }

    @Test("a unit that does not exist is an argument error in every function", arguments: invalidPointers)
    func invalidUnits(bits: UInt) {
        let unit = unsafe AudioUnit(bitPattern: bits)
        for (name, status) in unsafe results(for: unit) { expectEqual(status, kAudio_ParamError, "\(name)") }
        unsafe expectEqual(audioComponentInstanceGetComponent(unit), nil)
        #expect(unsafe !audioComponentInstanceCanDo(unit, 1))
    }

    @Test("an instance needs a component and a place to store it") func instances() {
        var wanted = AudioComponentDescription()
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var instance: AudioComponentInstance?
        unsafe expectEqual(audioComponentInstanceNew(component, nil), kAudio_ParamError)
        for bits in Self.invalidPointers {
            let unknown = unsafe AudioComponent(bitPattern: bits)
            unsafe expectEqual(audioComponentInstanceNew(unknown, &instance), kAudio_ParamError)
            var result = noErr
            unsafe audioComponentInstantiate(unknown, 0) { instance, status in
                if unsafe instance == nil { result = status }
            }
            expectEqual(result, kAudio_ParamError)
        }
        unsafe expectEqual(instance, nil)
        audioComponentInstantiate(nil, 0, nil)
    }

    @Test("a unit that does not exist has no properties", arguments: UnitNames.properties)
    func missingProperty(property: AudioUnitPropertyID) {
        let unit = unsafe AudioUnit(bitPattern: 0xDEAD_0001)
        var size: UInt32 = 7
        var isWritable = true
        for scope in UnitNames.scopes {
            let status = unsafe audioUnitGetPropertyInfo(unit, property, scope, 0, &size, &isWritable)
            #expect(status == kAudio_ParamError && size == 7 && isWritable)
        }
    }

    @Test("a unit that does not exist has no parameters", arguments: UnitNames.parameters)
    func missingParameter(parameter: AudioUnitParameterID) {
        let unit = unsafe AudioUnit(bitPattern: 0xDEAD_0001)
        var value: AudioUnitParameterValue = 7
        for scope in UnitNames.scopes {
            let status = unsafe audioUnitGetParameter(unit, parameter, scope, 0, &value)
            #expect(status == kAudio_ParamError && value == 7)
        }
    }

    /// The results of every function that takes a graph, with otherwise valid arguments.
    private func graphResults(for graph: AUGraph?) -> [String: OSStatus] {
        var node: AUNode = 0
        var count: UInt32 = 1
        var flag = false
        var description = AudioComponentDescription()
        var unit: AudioUnit?
        var callback = unsafe AURenderCallbackStruct()
        var interaction = unsafe AUNodeInteraction()
        return unsafe [
            "Dispose": disposeAUGraph(graph),
            "AddNode": auGraphAddNode(graph, &description, &node),
            "RemoveNode": auGraphRemoveNode(graph, 1),
            "NodeInfo": auGraphNodeInfo(graph, 1, &description, &unit),
            "ConnectNodeInput": auGraphConnectNodeInput(graph, 1, 0, 2, 0),
            "DisconnectNodeInput": auGraphDisconnectNodeInput(graph, 1, 0),
            "SetNodeInputCallback": auGraphSetNodeInputCallback(graph, 1, 0, &callback),
            "ClearConnections": auGraphClearConnections(graph),
            "GetNodeInteractions": auGraphGetNodeInteractions(graph, 1, &count, &interaction),
            "Update": auGraphUpdate(graph, &flag),
            "Open": auGraphOpen(graph),
            "Close": auGraphClose(graph),
            "Initialize": auGraphInitialize(graph),
            "Uninitialize": auGraphUninitialize(graph),
            "Start": auGraphStart(graph),
            "Stop": auGraphStop(graph),
            "IsOpen": auGraphIsOpen(graph, &flag),
            "IsInitialized": auGraphIsInitialized(graph, &flag),
            "IsRunning": auGraphIsRunning(graph, &flag),
            "AddRenderNotify": auGraphAddRenderNotify(graph, renderNothing, nil),
            "RemoveRenderNotify": auGraphRemoveRenderNotify(graph, renderNothing, nil),
        ]
    }

    @Test("a graph that does not exist is an argument error in every function", arguments: invalidPointers)
    func invalidGraphs(bits: UInt) {
        let graph = unsafe AUGraph(bitPattern: bits)
        for (name, status) in unsafe graphResults(for: graph) {
            expectEqual(status, kAudio_ParamError, "\(name)")
        }
        unsafe caShow(UnsafeMutableRawPointer(bitPattern: bits))
    }

    @Test("a graph needs a place to store it") func graphs() {
        expectEqual(newAUGraph(nil), kAudio_ParamError)
    }
}

private func ignoreChange(
    _ userData: UnsafeMutableRawPointer, _ unit: AudioUnit, _ property: AudioUnitPropertyID,
    _ scope: AudioUnitScope, _ element: AudioUnitElement
) {}

private func renderNothing(
    _ userData: UnsafeMutableRawPointer, _ actions: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
    _ data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { noErr }
