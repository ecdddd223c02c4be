// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import CoreAudioTypes
import Glibc
import Testing

@testable import AQDevices
@testable import AQUnits

@Suite("The captured side of a unit", .timeLimit(.minutes(20)))
@safe final class UnitInputTests {
    /// A device whose streams capture when the test says so.
    private final class HandDevice: InputDevice {
        let name = "hand"

        func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
            (48_000, 2)
        }

        func makeStream(
            _ configuration: InputStreamConfiguration
        ) throws(DeviceError) -> any InputStream {
            SoftwareInputStream(
                configuration, deviceName: name, native: (48_000, 2), periodFrames: 0, hasThread: false)
        }
    }

    private static let frames = 128
    private let input: UnitInput
    private let stream: SoftwareInputStream
    private let gate = RenderGate()
    private let hooks = RenderHooks()
    private let list = unsafe AudioBufferList.allocate(maximumBuffers: 1)
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4_096)
    private var hostTime: UInt64 = 1_000_000_000

    init() throws {
        let client = try ClientFormat(.float(channels: 2, sampleRate: 48_000))
        let side = IOSetup.Direction(client: client, deviceChannels: 2, sliceFrames: Self.frames)
        input = try UnitInput(side, IOSetup(maximumFrames: 4_096), on: HandDevice(), nil)
        stream = try #require(input.stream as? SoftwareInputStream)
        stream.start(fragmentFrames: Self.frames)
        hooks.input = unsafe RenderCode { _, _, _, _, _ in 0 }
        gate.open()
    }

    deinit {
        unsafe memory.deallocate()
        unsafe free(list.unsafeMutablePointer)
    }

    /// Captures a slice of one value, and returns its event.
    private func capture(_ value: Float) throws -> DeviceEvent {
        let samples = [Float](repeating: value, count: 2 * Self.frames)
        unsafe samples.withUnsafeBytes {
            unsafe stream.capture($0.baseAddress, frames: Self.frames, hostTime: hostTime)
        }
        hostTime += 2_666_667
        while let event = stream.feed.nextEvent() { if event.kind == .segmentDone { return event } }
        throw DeviceError(.refused, "no slice was captured")
    }

    /// Fetches frames, and returns the first value of the last one; nil if there are not as many.
    private func fetch(_ frames: Int) -> Float? {
        unsafe list[0] = unsafe AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(frames * 8), mData: memory)
        do throws(UnitError) {
            try unsafe input.render(frames: frames, into: list, isMuted: false, audibleAt: nil)
            return unsafe memory[2 * frames - 2]
        } catch {
            return nil
        }
    }

    @Test("has the newest slice for code that is informed, and all frames for code that asks now and then")
    func slices() throws {
        for value in 1...3 {
            let event = try capture(Float(value))
            expectEqual(input.take(event, hasCode: true), Self.frames)
            input.giveBack(event)
        }
        expectEqual(fetch(Self.frames), 3)
        expectEqual(fetch(1), nil)
        for value in 4...6 {
            let event = try capture(Float(value))
            _ = input.take(event, hasCode: false)
            input.giveBack(event)
        }
        expectEqual(fetch(Self.frames), 4)
        input.restart()
        expectEqual(fetch(Self.frames), nil)
    }

    @Test(
        "neither locks nor allocates memory for a slice",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func cost() throws {
        var (allocations, locks) = (0, 0)
        for slice in 0..<300 {
            let event = try capture(1)
            let before = (aq_meter_allocations(), aq_meter_locks())
            let isAdmitted = gate.enter()
            let code = hooks.input
            _ = input.take(event, hasCode: code != nil)
            let value = fetch(Self.frames)
            gate.leave()
            // The runtime prepares types at their first use.
            if slice >= 50 {
                allocations += aq_meter_allocations() - before.0
                locks += aq_meter_locks() - before.1
            }
            input.giveBack(event)
            #expect(isAdmitted && value == 1)
        }
        expectEqual(allocations, 0)
        expectEqual(locks, 0)
    }
}
