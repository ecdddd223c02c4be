// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// I/O units on a private server.
@Suite("I/O units of the C functions", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct IOUnitSoundTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func makeUnit(_ subtype: UInt32) throws -> AudioUnit {
        var wanted = AudioComponentDescription()
        wanted.componentType = kAudioUnitType_Output
        wanted.componentSubType = subtype
        let component = try unsafe #require(audioComponentFindNext(nil, &wanted))
        var unit: AudioComponentInstance?
        let devices = (
            try PulseDevice(server: "unix:\(server.socketPath)"),
            try PulseSource(source: "test.monitor", server: "unix:\(server.socketPath)")
        )
        let status = TestDevices.with(output: devices.0, input: devices.1) {
            unsafe audioComponentInstanceNew(component, &unit)
        }
        expectEqual(status, noErr)
        return try unsafe #require(unit)
    }

    private func set<Value: BitwiseCopyable>(
        _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32,
        _ value: Value
    ) -> OSStatus {
        var value = value
        return unsafe audioUnitSetProperty(unit, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
    }

    private func setCallback(
        _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ procedure: @escaping AURenderCallback,
        _ client: Client
    ) -> OSStatus {
        var callback = unsafe AURenderCallbackStruct(
            inputProc: procedure, inputProcRefCon: Unmanaged.passUnretained(client).toOpaque())
        return unsafe audioUnitSetProperty(
            unit, id, kAudioUnitScope_Global, 0, &callback, UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    }

    @Test("play what a callback renders in the format that nobody has set") func usualFormat() throws {
        let unit = unsafe try makeUnit(kAudioUnitSubType_DefaultOutput)
        let client = Client()
        // As the published example: two buffers of floats, at 44,100 Hz.
        let status = unsafe setCallback(
            unit, kAudioUnitProperty_SetRenderCallback,
            { context, _, _, _, frames, list in
                guard let list = unsafe UnsafeMutableAudioBufferListPointer(list), unsafe list.count == 2
                else {
                    return -1
                }
                for buffer in 0..<2 {
                    let floats = unsafe UnsafeMutableBufferPointer<Float>(list[buffer])
                    for frame in 0..<Int(frames) { unsafe floats[frame] = buffer == 0 ? 0.25 : -0.5 }
                }
                unsafe Client.of(context).count(frames)
                return noErr
            }, client)
        expectEqual(status, noErr)
        let capture = try MonitorCapture(server)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(capture.waitForSound(ofFrames: 48_000))
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        let played = capture.stop()
        let middle = try #require(played.firstSoundFrame()) + 24_000
        #expect(abs(played.samples[2 * middle] - 0.25) < 0.001)
        #expect(abs(played.samples[2 * middle + 1] + 0.5) < 0.001)
        #expect(client.frames >= 44_000)
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }

    @Test("make their device run, and report late callbacks to its listeners") func deviceListeners() throws {
        var options = PulseServer.Options()
        options.sinkName = "unit_device"
        _ = try server.addSink(options)
        let device = HardwareObject.device(uid: options.sinkName)
        let reported = Mutex<[AudioObjectPropertySelector]>([])
        let selectors = [kAudioDevicePropertyDeviceIsRunning, kAudioDeviceProcessorOverload]
        for selector in selectors {
            try Hardware.shared.listeners.add(
                HardwareListeners.Listener(
                    object: device, objectID: 40, address: address(selector),
                    target: HardwareListenerTarget(HardwareListenerKey(UInt(selector))) { _, addresses in
                        reported.withLock { $0 += addresses.map(\.mSelector) }
                    }))
        }
        defer {
            for selector in selectors {
                #expect(throws: Never.self) {
                    try Hardware.shared.listeners.remove(
                        device, address(selector), HardwareListenerKey(UInt(selector)))
                }
            }
        }
        try server.setDefaultSink(options.sinkName)
        let unit = unsafe try makeUnit(kAudioUnitSubType_DefaultOutput)
        let client = Client()
        let status = unsafe setCallback(
            unit, kAudioUnitProperty_SetRenderCallback,
            { context, _, _, _, frames, _ in
                let client = unsafe Client.of(context)
                client.count(1)
                if client.frames % 30 == 0 { usleep(150_000) }
                return noErr
            }, client)
        expectEqual(status, noErr)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(
            HostClock.poll(upToSeconds: 10) {
                reported.withLock { $0.first == kAudioDevicePropertyDeviceIsRunning && $0.count > 1 }
            })
        #expect(reported.withLock { $0.dropFirst().allSatisfy { $0 == kAudioDeviceProcessorOverload } })
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
        #expect(
            HostClock.poll(upToSeconds: 10) {
                reported.withLock { $0.last == kAudioDevicePropertyDeviceIsRunning }
            })
    }

    @Test("report the device on which they play after theirs is removed") func removedDevice() throws {
        var options = PulseServer.Options()
        options.sinkName = "unit_leaving"
        let module = try server.addSink(options)
        let sink = try PulseDevice(sink: options.sinkName, server: "unix:\(server.socketPath)")
        var made: IOUnitObject?
        let status = TestDevices.with(output: sink) {
            made = try? IOUnitObject(.halOutput)
            return noErr
        }
        expectEqual(status, noErr)
        let unit = try #require(made)
        let numbers = ["unit_leaving", "test"].map { Hardware.shared.objects.number(of: .device(uid: $0)) }
        unit.settings.withLock { ($0.device, $0.sinkName) = (numbers[0], options.sinkName) }
        let reports = Mutex(0)
        unit.setListener { property in
            if property.id == kAudioOutputUnitProperty_CurrentDevice { reports.withLock { $0 += 1 } }
        }
        try unit.initialize()
        try unit.start()
        let property = UnitProperty(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0)
        try expectEqual(unit.currentDevice(at: property), numbers[0])
        try server.unloadModule(module)
        #expect(
            try HostClock.poll(upToSeconds: 5) { try unit.currentDevice(at: property) == numbers[1] })
        #expect(HostClock.poll(upToSeconds: 5) { reports.withLock { $0 > 0 } })
        unit.dispose()
    }

    @Test("report a missing callback, and refuse settings that cannot change now") func statuses() throws {
        let unit = unsafe try makeUnit(kAudioUnitSubType_RemoteIO)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)), noErr)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(0)),
            kAudioUnitErr_Initialized)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(
            HostClock.poll(upToSeconds: 5) {
                var (status, size) = (noErr, UInt32(4))
                _ = unsafe audioUnitGetProperty(
                    unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &status, &size)
                return status == kAudioUnitErr_NoConnection
            })
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 8_000)
        unsafe expectEqual(
            set(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format),
            kAudioUnitErr_Initialized)
        var time = AudioTimeStamp()
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe free(list.unsafeMutablePointer) }
        unsafe expectEqual(
            audioUnitRender(unit, nil, &time, 1, 100_000, list.unsafeMutablePointer),
            kAudioUnitErr_TooManyFramesToProcess)
        unsafe expectEqual(
            audioUnitRender(unit, nil, &time, 0, 64, list.unsafeMutablePointer), kAudioUnitErr_InvalidElement)
        unsafe expectEqual(audioOutputUnitStop(unit), noErr)
        unsafe expectEqual(audioUnitReset(unit, kAudioUnitScope_Global, 1), noErr)
        unsafe expectEqual(
            audioUnitRender(unit, nil, &time, 1, 64, list.unsafeMutablePointer),
            kAudioUnitErr_CannotDoInCurrentContext)
        unsafe expectEqual(audioUnitUninitialize(unit), noErr)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(0)), noErr)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0)), noErr)
        unsafe expectEqual(audioUnitInitialize(unit), kAudioUnitErr_FailedInitialization)
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
    }

    @Test("give an input callback each slice on bus 1, without memory of the client's") func input() throws {
        let unit = unsafe try makeUnit(kAudioUnitSubType_HALOutput)
        let client = Client()
        client.unit = UInt(bitPattern: unit)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)), noErr)
        unsafe expectEqual(
            set(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0)), noErr)
        let status = unsafe setCallback(
            unit, kAudioOutputUnitProperty_SetInputCallback,
            { context, flags, time, bus, frames, list in
                let client = unsafe Client.of(context)
                guard bus == 1, unsafe list == nil else { return -1 }
                let own = unsafe AudioBufferList.allocate(maximumBuffers: 2)
                defer { unsafe free(own.unsafeMutablePointer) }
                let status = unsafe audioUnitRender(
                    AudioUnit(bitPattern: client.unit), flags, time, bus, frames, own.unsafeMutablePointer)
                guard status == noErr, unsafe own[1].mDataByteSize == frames * 4, unsafe own[1].mData != nil
                else { return status }
                client.count(frames)
                return noErr
            }, client)
        expectEqual(status, noErr)
        unsafe expectEqual(audioUnitInitialize(unit), noErr)
        unsafe expectEqual(audioOutputUnitStart(unit), noErr)
        #expect(HostClock.poll(upToSeconds: 5) { client.frames > 20_000 })
        unsafe expectEqual(audioComponentInstanceDispose(unit), noErr)
        let frames = client.frames
        #expect(!HostClock.poll(upToSeconds: 0.1) { client.frames != frames })
    }
}

/// The counts of callbacks.
private final class Client: Sendable {
    private let state = Mutex((frames: 0, unit: UInt(0)))

    var frames: Int { state.withLock { $0.frames } }
    var unit: UInt {
        get { state.withLock { $0.unit } }
        set { state.withLock { $0.unit = newValue } }
    }

    func count(_ frames: UInt32) { state.withLock { $0.frames += Int(frames) } }

    static func of(_ context: UnsafeMutableRawPointer) -> Client {
        unsafe Unmanaged<Client>.fromOpaque(context).takeUnretainedValue()
    }
}
