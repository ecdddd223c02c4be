// SPDX-License-Identifier: MIT

import AudioToolbox
import Dispatch
import Testing

/// The same for audio units, graphs, and procedures of devices.
extension SwiftFunctionTests {
    @Test("AudioComponent.h has 10 functions of the published types") func audioComponent() {
        let _: (AudioComponent?, In<AudioComponentDescription>) -> AudioComponent? =
            unsafe AudioComponentFindNext
        let _: (In<AudioComponentDescription>) -> UInt32 = unsafe AudioComponentCount
        let _: (AudioComponent, Out<Unmanaged<CFString>?>) -> OSStatus = unsafe AudioComponentCopyName
        let _: (AudioComponent, Out<AudioComponentDescription>) -> OSStatus =
            unsafe AudioComponentGetDescription
        let _: (AudioComponent, Out<UInt32>) -> OSStatus = unsafe AudioComponentGetVersion
        let _: (AudioComponent, Out<AudioComponentInstance?>) -> OSStatus = unsafe AudioComponentInstanceNew
        let _: (AudioComponentInstance) -> OSStatus = unsafe AudioComponentInstanceDispose
        let _: (AudioComponentInstance) -> AudioComponent = unsafe AudioComponentInstanceGetComponent
        let _: (AudioComponentInstance, Int16) -> Bool = unsafe AudioComponentInstanceCanDo
        let _:
            (
                AudioComponent, AudioComponentInstantiationOptions,
                @escaping (AudioComponentInstance?, OSStatus) -> Void
            ) -> Void = unsafe AudioComponentInstantiate
    }

    @Test("AUComponent.h and AudioOutputUnit.h have 18 functions of the published types")
    func audioUnit() {
        let _: (AudioUnit) -> OSStatus = unsafe AudioUnitInitialize
        let _: (AudioUnit) -> OSStatus = unsafe AudioUnitUninitialize
        let _:
            (
                AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, Out<UInt32>?,
                Out<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioUnitGetPropertyInfo
        let _:
            (
                AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UnsafeMutableRawPointer,
                Out<UInt32>
            ) -> OSStatus = unsafe AudioUnitGetProperty
        let _:
            (
                AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UnsafeRawPointer?, UInt32
            ) -> OSStatus = unsafe AudioUnitSetProperty
        let _:
            (
                AudioUnit, AudioUnitPropertyID, AudioUnitPropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioUnitAddPropertyListener
        let _:
            (
                AudioUnit, AudioUnitPropertyID, AudioUnitPropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioUnitRemovePropertyListenerWithUserData
        let _: (AudioUnit, AudioUnitPropertyID, AudioUnitPropertyListenerProc) -> OSStatus =
            unsafe AudioUnitRemovePropertyListener
        let _: (AudioUnit, AURenderCallback, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AudioUnitAddRenderNotify
        let _: (AudioUnit, AURenderCallback, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AudioUnitRemoveRenderNotify
        let _:
            (
                AudioUnit, AudioUnitParameterID, AudioUnitScope, AudioUnitElement,
                Out<AudioUnitParameterValue>
            ) -> OSStatus = unsafe AudioUnitGetParameter
        let _:
            (
                AudioUnit, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, AudioUnitParameterValue,
                UInt32
            ) -> OSStatus = unsafe AudioUnitSetParameter
        let _: (AudioUnit, In<AudioUnitParameterEvent>, UInt32) -> OSStatus =
            unsafe AudioUnitScheduleParameters
        let _:
            (
                AudioUnit, Out<AudioUnitRenderActionFlags>?, In<AudioTimeStamp>, UInt32, UInt32,
                Out<AudioBufferList>
            ) -> OSStatus = unsafe AudioUnitRender
        let _:
            (
                AudioUnit, Out<AudioUnitRenderActionFlags>?, In<AudioTimeStamp>, UInt32, Out<AudioBufferList>
            ) -> OSStatus = unsafe AudioUnitProcess
        let _: (AudioUnit, AudioUnitScope, AudioUnitElement) -> OSStatus = unsafe AudioUnitReset
        let _: (AudioUnit) -> OSStatus = unsafe AudioOutputUnitStart
        let _: (AudioUnit) -> OSStatus = unsafe AudioOutputUnitStop
    }

    @Test("AUGraph.h has 23 functions of the published types") func graphs() {
        let _: (Out<AUGraph?>) -> OSStatus = unsafe NewAUGraph
        let _: (AUGraph) -> OSStatus = unsafe DisposeAUGraph
        let _: (AUGraph, In<AudioComponentDescription>, Out<AUNode>) -> OSStatus = unsafe AUGraphAddNode
        let _: (AUGraph, AUNode) -> OSStatus = unsafe AUGraphRemoveNode
        let _: (AUGraph, AUNode, Out<AudioComponentDescription>?, Out<AudioUnit?>?) -> OSStatus =
            unsafe AUGraphNodeInfo
        let _: (AUGraph, AUNode, UInt32, AUNode, UInt32) -> OSStatus = unsafe AUGraphConnectNodeInput
        let _: (AUGraph, AUNode, UInt32) -> OSStatus = unsafe AUGraphDisconnectNodeInput
        let _: (AUGraph, AUNode, UInt32, In<AURenderCallbackStruct>) -> OSStatus =
            unsafe AUGraphSetNodeInputCallback
        let _: (AUGraph) -> OSStatus = unsafe AUGraphClearConnections
        let _: (AUGraph, AUNode, Out<UInt32>, Out<AUNodeInteraction>) -> OSStatus =
            unsafe AUGraphGetNodeInteractions
        let _: (AUGraph, Out<DarwinBoolean>?) -> OSStatus = unsafe AUGraphUpdate
        let _: (AUGraph) -> OSStatus = unsafe AUGraphOpen
        let _: (AUGraph) -> OSStatus = unsafe AUGraphClose
        let _: (AUGraph) -> OSStatus = unsafe AUGraphInitialize
        let _: (AUGraph) -> OSStatus = unsafe AUGraphUninitialize
        let _: (AUGraph) -> OSStatus = unsafe AUGraphStart
        let _: (AUGraph) -> OSStatus = unsafe AUGraphStop
        let _: (AUGraph, Out<DarwinBoolean>) -> OSStatus = unsafe AUGraphIsOpen
        let _: (AUGraph, Out<DarwinBoolean>) -> OSStatus = unsafe AUGraphIsInitialized
        let _: (AUGraph, Out<DarwinBoolean>) -> OSStatus = unsafe AUGraphIsRunning
        let _: (AUGraph, AURenderCallback, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AUGraphAddRenderNotify
        let _: (AUGraph, AURenderCallback, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AUGraphRemoveRenderNotify
        let _: (UnsafeMutableRawPointer) -> Void = unsafe CAShow
    }

    @Test("AudioHardware.h has 9 functions for procedures, and AudioHardwareDeprecated.h has 2")
    func deviceProcedures() {
        let _:
            (
                AudioObjectID, AudioDeviceIOProc, UnsafeMutableRawPointer?, Out<AudioDeviceIOProcID?>
            ) -> OSStatus = unsafe AudioDeviceCreateIOProcID
        let _:
            (
                Out<AudioDeviceIOProcID?>, AudioObjectID, DispatchQueue?, @escaping AudioDeviceIOBlock
            ) -> OSStatus = unsafe AudioDeviceCreateIOProcIDWithBlock
        let _: (AudioObjectID, AudioDeviceIOProcID) -> OSStatus = unsafe AudioDeviceDestroyIOProcID
        let _: (AudioObjectID, AudioDeviceIOProcID?) -> OSStatus = unsafe AudioDeviceStart
        let _: (AudioObjectID, AudioDeviceIOProcID?, Out<AudioTimeStamp>, UInt32) -> OSStatus =
            unsafe AudioDeviceStartAtTime
        let _: (AudioObjectID, AudioDeviceIOProcID?) -> OSStatus = unsafe AudioDeviceStop
        let _: (AudioObjectID, Out<AudioTimeStamp>) -> OSStatus = unsafe AudioDeviceGetCurrentTime
        let _: (AudioObjectID, In<AudioTimeStamp>, Out<AudioTimeStamp>) -> OSStatus =
            unsafe AudioDeviceTranslateTime
        let _: (AudioObjectID, Out<AudioTimeStamp>, UInt32) -> OSStatus =
            unsafe AudioDeviceGetNearestStartTime
        let _: (AudioDeviceID, AudioDeviceIOProc, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AudioDeviceAddIOProc
        let _: (AudioDeviceID, AudioDeviceIOProc) -> OSStatus = unsafe AudioDeviceRemoveIOProc
    }

    @Test("callbacks of units have the published types, and units and instances are one type")
    func unitCallbacks() {
        typealias Render =
            @convention(c) (
                UnsafeMutableRawPointer, Out<AudioUnitRenderActionFlags>, In<AudioTimeStamp>, UInt32, UInt32,
                Out<AudioBufferList>?
            ) -> OSStatus
        typealias Listener =
            @convention(c) (
                UnsafeMutableRawPointer, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
            ) -> Void
        typealias Procedure =
            @convention(c) (
                AudioObjectID, In<AudioTimeStamp>, In<AudioBufferList>, In<AudioTimeStamp>,
                Out<AudioBufferList>, In<AudioTimeStamp>, UnsafeMutableRawPointer?
            ) -> OSStatus
        #expect(unsafe AURenderCallback.self == Render.self)
        #expect(unsafe AudioUnitPropertyListenerProc.self == Listener.self)
        #expect(unsafe AudioDeviceIOProc.self == Procedure.self)
        #expect(unsafe AudioDeviceIOProcID.self == Procedure.self)
        #expect(unsafe AudioUnit.self == OpaquePointer.self)
        #expect(unsafe AudioComponentInstance.self == OpaquePointer.self)
        #expect(unsafe AudioComponent.self == OpaquePointer.self)
        #expect(unsafe AUGraph.self == OpaquePointer.self)
    }
}
