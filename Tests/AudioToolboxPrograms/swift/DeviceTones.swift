// swift-format-ignore-file
//
//  DeviceTones.swift
//
//  CoreAudio for the devices, AudioToolbox for the sound, each imported by its own name.
//
//      DeviceTones               the list
//      DeviceTones NAME-OR-UID   a beep of half a second on the first device that matches
//
import CoreAudio
import AudioToolbox
import Foundation

extension AudioObjectID {
    func address(_ selector: AudioObjectPropertySelector,
                 _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: 0)
    }

    func string(_ selector: AudioObjectPropertySelector) -> String? {
        var address = self.address(selector)
        var value: Unmanaged<CFString>?
        var size = UInt32(MemoryLayout<Unmanaged<CFString>?>.size)
        guard AudioObjectGetPropertyData(self, &address, 0, nil, &size, &value) == noErr else { return nil }
        return value?.takeRetainedValue() as String?
    }

    func channels(_ scope: AudioObjectPropertyScope) -> Int {
        var address = self.address(kAudioDevicePropertyStreamConfiguration, scope)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(self, &address, 0, nil, &size) == noErr, size > 0 else { return 0 }
        let raw = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
        defer { raw.deallocate() }
        guard AudioObjectGetPropertyData(self, &address, 0, nil, &size, raw) == noErr else { return 0 }
        let list = UnsafeMutableAudioBufferListPointer(raw.assumingMemoryBound(to: AudioBufferList.self))
        return list.reduce(0) { $0 + Int($1.mNumberChannels) }
    }
}

func allDevices() -> [AudioObjectID] {
    let system = AudioObjectID(kAudioObjectSystemObject)
    var address = system.address(kAudioHardwarePropertyDevices)
    var size: UInt32 = 0
    guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == noErr else { return [] }
    var ids = [AudioObjectID](repeating: 0, count: Int(size) / MemoryLayout<AudioObjectID>.size)
    guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &ids) == noErr else { return [] }
    return ids
}

guard CommandLine.arguments.count > 1 else {
    for device in allDevices() {
        print(device.string(kAudioDevicePropertyDeviceUID) ?? "?", device.string(kAudioObjectPropertyName) ?? "?",
              "\(device.channels(kAudioObjectPropertyScopeInput)) in", "\(device.channels(kAudioObjectPropertyScopeOutput)) out",
              separator: "\t")
    }
    exit(0)
}
let wanted = CommandLine.arguments[1]
let matching = allDevices().first {
    $0.channels(kAudioObjectPropertyScopeOutput) > 0
        && [$0.string(kAudioDevicePropertyDeviceUID), $0.string(kAudioObjectPropertyName)].contains(wanted)
}
guard let device = matching, let uid = device.string(kAudioDevicePropertyDeviceUID) else {
    print("no such device")
    exit(1)
}

var format = AudioStreamBasicDescription()
format.mSampleRate = 48000
format.mFormatID = kAudioFormatLinearPCM
format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked
format.mChannelsPerFrame = 1
format.mBitsPerChannel = 32
format.mBytesPerFrame = 4
format.mBytesPerPacket = 4
format.mFramesPerPacket = 1
var queue: AudioQueueRef?
AudioQueueNewOutput(&format, { _, queue, _ in AudioQueueStop(queue, false) }, nil, nil, nil, 0, &queue)
var deviceUID: CFString = uid as CFString
let status = AudioQueueSetProperty(queue!, kAudioQueueProperty_CurrentDevice, &deviceUID, UInt32(MemoryLayout<CFString>.size))
guard status == noErr else {
    print("CurrentDevice: \(status)")
    exit(1)
}
var buffer: AudioQueueBufferRef?
AudioQueueAllocateBuffer(queue!, 24000 * 4, &buffer)
let samples = buffer!.pointee.mAudioData.assumingMemoryBound(to: Float.self)
for i in 0..<24000 { samples[i] = 0.3 * sinf(Float(i) * 2 * Float.pi * 750 / 48000) }
buffer!.pointee.mAudioDataByteSize = 24000 * 4
AudioQueueEnqueueBuffer(queue!, buffer!, 0, nil)
AudioQueueStart(queue!, nil)
var running: UInt32 = 1
repeat {
    Thread.sleep(forTimeInterval: 0.05)
    var size: UInt32 = 4
    AudioQueueGetProperty(queue!, kAudioQueueProperty_IsRunning, &running, &size)
} while running != 0
AudioQueueDispose(queue!, true)
