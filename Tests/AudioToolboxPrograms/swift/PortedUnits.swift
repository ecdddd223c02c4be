// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  PortedUnits.swift
//
//  The names of audio units, graphs and device procedures, as programs write them.
//
//      PortedUnits
//
import AudioUnit
import AudioUnit.AudioUnitProperties
import AudioToolbox
import AudioToolbox.AUGraph
import CoreAudio
import Foundation

var failures = 0
func check(_ condition: Bool, _ name: String) {
    if !condition {
        failures += 1
        print("wrong:", name)
    }
}

struct Synth {
    var unit: AudioUnit?
    var phase: Double = 0
}

let kOutputBus: AudioUnitElement = 0
let kInputBus: AudioUnitElement = 1

// A callback as a closure, and one as a function.
let renderCallback: AURenderCallback = { (inRefCon, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames, ioData) -> OSStatus in
    let synth = inRefCon.assumingMemoryBound(to: Synth.self)
    guard let ioData = ioData else { return kAudioUnitErr_InvalidParameter }
    let buffers = UnsafeMutableAudioBufferListPointer(ioData)
    for buffer in buffers {
        guard let samples = buffer.mData?.assumingMemoryBound(to: Float32.self) else { continue }
        for frame in 0..<Int(inNumberFrames) {
            samples[frame] = Float32(sin(synth.pointee.phase))
            synth.pointee.phase += 0.1
        }
    }
    ioActionFlags.pointee.insert(.unitRenderAction_OutputIsSilence)
    _ = inTimeStamp.pointee.mSampleTime
    return noErr
}

func recordingCallback(
    inRefCon: UnsafeMutableRawPointer,
    ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    inTimeStamp: UnsafePointer<AudioTimeStamp>,
    inBusNumber: UInt32,
    inNumberFrames: UInt32,
    ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    let synth = inRefCon.assumingMemoryBound(to: Synth.self)
    guard let unit = synth.pointee.unit else { return noErr }
    var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil))
    return AudioUnitRender(unit, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames, &list)
}

var desc = AudioComponentDescription(
    componentType: kAudioUnitType_Output,
    componentSubType: kAudioUnitSubType_RemoteIO,
    componentManufacturer: kAudioUnitManufacturer_Apple,
    componentFlags: 0,
    componentFlagsMask: 0)
var any = AudioComponentDescription()
any.componentType = OSType(kAudioUnitType_Output)

guard let component = AudioComponentFindNext(nil, &desc) else { fatalError("no unit") }
check(AudioComponentCount(&any) == 6, "count")
var name: Unmanaged<CFString>?
check(AudioComponentCopyName(component, &name) == noErr, "name")
check(name!.takeRetainedValue() as String == "Apple: AURemoteIO", "text of the name")
var version: UInt32 = 0
check(AudioComponentGetVersion(component, &version) == noErr && version >> 16 == 1, "version")
var found = AudioComponentDescription()
check(AudioComponentGetDescription(component, &found) == noErr, "description")
check(AudioComponentFlags(rawValue: found.componentFlags).contains(.sandboxSafe), "flags of the component")

// The callback without a unit.
var synth = Synth()
var callbackStruct = AURenderCallbackStruct(inputProc: renderCallback, inputProcRefCon: &synth)
var inputStruct = AURenderCallbackStruct()
inputStruct.inputProc = recordingCallback
withUnsafeMutablePointer(to: &synth) { inputStruct.inputProcRefCon = UnsafeMutableRawPointer($0) }
var flags: AudioUnitRenderActionFlags = []
var time = AudioTimeStamp()
var samples = [Float32](repeating: 0, count: 64)
samples.withUnsafeMutableBytes { bytes in
    var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
    check(callbackStruct.inputProc!(callbackStruct.inputProcRefCon!, &flags, &time, kOutputBus, 64, &list) == noErr, "callback")
}
check(flags.contains(.unitRenderAction_OutputIsSilence) && !flags.contains(.unitRenderAction_PreRender), "flags")
check(flags == AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence && samples[1] > 0, "samples")
check(inputStruct.inputProc!(inputStruct.inputProcRefCon!, &flags, &time, kInputBus, 64, nil) == noErr, "input callback")

// The calls that set up a unit, for one that does not exist.
func setUp(_ unit: AudioUnit) -> [OSStatus] {
    var one: UInt32 = 1
    var format = AudioStreamBasicDescription(
        mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    var writable: DarwinBoolean = false
    var device = AudioDeviceID(0)
    return [
        AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, kInputBus, &one, UInt32(MemoryLayout<UInt32>.size)),
        AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, kOutputBus, &format, size),
        AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device, UInt32(MemoryLayout<AudioDeviceID>.size)),
        AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callbackStruct, UInt32(MemoryLayout<AURenderCallbackStruct>.size)),
        AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, kInputBus, &inputStruct, UInt32(MemoryLayout.size(ofValue: inputStruct))),
        AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0, &size, &writable),
        AudioUnitGetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &one, &size),
        AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, { refCon, unit, id, scope, element in }, &synth),
        AudioUnitAddRenderNotify(unit, renderCallback, nil),
        AudioUnitSetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 0.5, 0),
        AudioUnitInitialize(unit), AudioOutputUnitStart(unit), AudioOutputUnitStop(unit), AudioUnitUninitialize(unit),
        AudioComponentInstanceDispose(unit),
    ]
}
check(setUp(AudioUnit(bitPattern: 0x1000)!).allSatisfy { $0 == kAudio_ParamError }, "unit that does not exist")
var instance: AudioComponentInstance? = nil
if AudioComponentInstanceNew(component, &instance) == noErr {
    let unit: AudioUnit = instance!
    check(AudioComponentInstanceGetComponent(unit) == component, "component of the unit")
    check(AudioComponentInstanceDispose(unit) == noErr, "dispose")
}

// Values of properties.
var params = AudioOutputUnitStartAtTimeParams(mTimestamp: time, mFlags: 0)
var ducking = AUVoiceIOOtherAudioDuckingConfiguration(mEnableAdvancedDucking: false, mDuckingLevel: .min)
ducking.mDuckingLevel = AUVoiceIOOtherAudioDuckingLevel.max
let connection = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 1)
let channels = AUChannelInfo(inChannels: -1, outChannels: 2)
check(params.mFlags == 0 && ducking.mDuckingLevel.rawValue == 30, "values")
check(connection.destInputNumber == 1 && channels.inChannels == -1, "connection")
var event = AudioUnitParameterEvent()
event.eventType = .parameterEvent_Ramped
event.eventValues.ramp.endValue = 1
check(event.eventValues.ramp.endValue == 1, "parameter event")
_ = AudioUnitScheduleParameters(AudioUnit(bitPattern: 0x1000)!, &event, 1)

// A graph.
var graph: AUGraph?
var node = AUNode()
if NewAUGraph(&graph) == noErr, let graph = graph {
    check(AUGraphAddNode(graph, &desc, &node) == noErr, "node")
    var unit: AudioUnit?
    _ = AUGraphOpen(graph)
    _ = AUGraphNodeInfo(graph, node, nil, &unit)
    var isRunning: DarwinBoolean = true
    AUGraphIsRunning(graph, &isRunning)
    check(!isRunning.boolValue, "graph")
    AUGraphUpdate(graph, nil)
    DisposeAUGraph(graph)
}

// A device that does not exist.
var procID: AudioDeviceIOProcID?
check(AudioDeviceCreateIOProcIDWithBlock(&procID, 31, DispatchQueue(label: "io")) { (inNow, inInputData, inInputTime, outOutputData, inOutputTime) in
    _ = UnsafeMutableAudioBufferListPointer(outOutputData).count
} == kAudioHardwareBadObjectError, "block of a device")
check(AudioDeviceCreateIOProcID(31, { device, now, input, inputTime, output, outputTime, clientData in noErr }, nil, &procID) == kAudioHardwareBadObjectError, "procedure of a device")
check(AudioDeviceStart(31, procID) == kAudioHardwareBadObjectError, "start of a device")

print("\(failures) failures")
exit(failures == 0 ? 0 : 1)
