// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAllocationMeter
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQUnits

@Suite("A converter that is pulled")
struct PulledConverterTests {
    private static let floats = IOUnit.usualFormat

    private func converter(
        from input: AudioStreamBasicDescription = floats, to output: AudioStreamBasicDescription = floats,
        _ source: FloatSource? = nil
    ) throws -> PulledUnit {
        let unit = PulledUnit.converter()
        try unit.setFormat(input, .input(0))
        try unit.setFormat(output, .output)
        try unit.setSource(source?.code, input: 0)
        try unit.initialize()
        return unit
    }

    private static func wave(_ frame: Int, _ channel: Int) -> Float {
        0.5 * sin(Float(frame) * (channel == 0 ? 0.05 : 0.11))
    }

    /// The samples of the wave that `AudioConverter` makes from the whole of it.
    private func expected(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription, frames: Int
    ) throws -> [UInt8] {
        let converter = try AudioConverter(from: input, to: output)
        let channels = Int(input.mChannelsPerFrame)
        let list = unsafe AudioBufferList.allocate(maximumBuffers: channels)
        let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: channels * 4096)
        defer {
            unsafe free(list.unsafeMutablePointer)
            unsafe memory.deallocate()
        }
        var position = 0
        var result = [UInt8](repeating: 0, count: frames * Int(output.mBytesPerFrame))
        let filled = try unsafe result.withUnsafeMutableBytes { bytes in
            try unsafe converter.fill(bytes, maximumPackets: frames) { _ in
                for channel in 0..<channels {
                    let floats = unsafe UnsafeMutableBufferPointer(
                        rebasing: memory[channel * 4096..<(channel + 1) * 4096])
                    for frame in floats.indices {
                        unsafe floats[frame] = Self.wave(position + frame, channel)
                    }
                    unsafe list[channel] = unsafe AudioBuffer(floats, numberOfChannels: 1)
                }
                position += 4096
                return unsafe .buffers(list, frames: 4096)
            }
        }
        expectEqual(filled.packets, frames)
        return result
    }

    @Test(
        "outputs what AudioConverter makes of the same audio",
        arguments: [
            AudioStreamBasicDescription.float(channels: 2, sampleRate: 44_100),
            .signedInteger(bits: 16, channels: 2, sampleRate: 44_100),
            .signedInteger(bits: 24, channels: 1, sampleRate: 44_100),
            .signedInteger(bits: 32, channels: 6, sampleRate: 44_100),
            .unsignedInteger(bits: 8, channels: 2, sampleRate: 44_100),
            .signedInteger(bits: 16, channels: 2, sampleRate: 48_000),
            .float(channels: 1, sampleRate: 8_000), .float(bits: 64, channels: 2, sampleRate: 96_000),
        ])
    func converts(output: AudioStreamBasicDescription) throws {
        let source = FloatSource(Self.wave)
        let unit = try converter(to: output, source)
        let slices = [512, 1, 100, 512, 511, 512, 512, 340]
        let rendered = try PulledSlices.render(unit, slices)
        let total = slices.reduce(0, +)
        expectEqual(rendered.buffers, [try expected(from: Self.floats, to: output, frames: total)])
    }

    @Test("calls its source once for each slice with the same frames and times if the rates are equal")
    func sameRate() throws {
        let source = FloatSource(constant: 0.25)
        let unit = try converter(source)
        let rendered = try PulledSlices.render(unit, [512, 7, 0, 64])
        expectEqual(rendered.samples(), [[Float]](repeating: [Float](repeating: 0.25, count: 583), count: 2))
        expectEqual(
            source.calls,
            [
                .init(bus: 0, frames: 512, sampleTime: 0), .init(bus: 0, frames: 7, sampleTime: 512),
                .init(bus: 0, frames: 64, sampleTime: 519),
            ])
    }

    @Test("asks for as many frames as the conversion of the rate requires, and counts them") func otherRate()
        throws
    {
        let source = FloatSource(constant: 0)
        let unit = try converter(
            from: .float(isInterleaved: false, channels: 1, sampleRate: 8_000),
            to: .float(channels: 1, sampleRate: 48_000), source)
        try unit.setMaximumFrames(480)
        _ = try PulledSlices.render(unit, Array(repeating: 480, count: 100))
        // The filter reads ahead.
        #expect(8_000...8_400 ~= source.frames)
        #expect(source.calls.allSatisfy { $0.frames <= 480 })
        var position = 0.0
        for call in source.calls {
            expectEqual(call.sampleTime, position)
            position += Double(call.frames)
        }
    }

    @Test("scales numbers with bits before the binary point") func fixedPoint() throws {
        var fixed = AudioStreamBasicDescription.signedInteger(bits: 32, channels: 1, sampleRate: 44_100)
        fixed.mFormatFlags |= 24 << kLinearPCMFormatFlagsSampleFractionShift
        let unit = PulledUnit.converter()
        try unit.setFormat(fixed, .input(0))
        try unit.setFormat(.signedInteger(bits: 16, channels: 1, sampleRate: 44_100), .output)
        unsafe try unit.setSource(
            RenderCode { _, _, _, _, list in
                guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
                let words = unsafe UnsafeMutableBufferPointer<Int32>(list[0])
                for index in words.indices { unsafe words[index] = 1 << 23 }
                return 0
            }, input: 0)
        try unit.initialize()
        try expectEqual(PulledSlices.render(unit, [3]).samples(as: Int16.self), [[16_384, 16_384, 16_384]])
        try unit.setFormat(fixed, .output)
        try expectEqual(PulledSlices.render(unit, [2]).samples(as: Int32.self), [[1 << 23, 1 << 23]])
    }

    @Test("plays silence after what a source has left, and what it keeps in its own memory")
    func sourceMemory()
        throws
    {
        let own = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8)
        unsafe own.update(repeating: 0.75)
        defer { unsafe own.deallocate() }
        nonisolated(unsafe) let memory = unsafe own
        let unit = PulledUnit.converter()
        unsafe try unit.setSource(
            RenderCode { _, _, _, _, list in
                guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
                unsafe list[0].mData = UnsafeMutableRawPointer(memory.baseAddress)
                unsafe list[0].mDataByteSize = 14
                unsafe list[1].mDataByteSize = 0
                return 0
            }, input: 0)
        try unit.initialize()
        let samples = try PulledSlices.render(unit, [8]).samples()
        expectEqual(samples, [[0.75, 0.75, 0.75, 0, 0, 0, 0, 0], [Float](repeating: 0, count: 8)])
        // Other lists than the unit's count as silence.
        unsafe try unit.setSource(
            RenderCode { _, _, _, _, list in
                unsafe list?.pointee.mNumberBuffers = 7
                return 0
            }, input: 0)
        try expectEqual(PulledSlices.render(unit, [2]).samples(), [[0, 0], [0, 0]])
    }

    @Test("passes silence on, whatever the memory contains") func silence() throws {
        let unit = try converter(from: .unsignedInteger(bits: 8, channels: 2, sampleRate: 44_100))
        unsafe try unit.setSource(
            RenderCode { actions, _, _, _, list in
                unsafe actions.pointee.insert(.outputIsSilence)
                guard let memory = unsafe list?.pointee.mBuffers.mData else { return -1 }
                unsafe memset(memory, 7, 8)
                return 0
            }, input: 0)
        let rendered = try PulledSlices.render(unit, [4])
        #expect(rendered.isSilent)
        expectEqual(rendered.samples(), [[0, 0, 0, 0], [0, 0, 0, 0]])
    }

    @Test("returns the status of its source, and of a missing one") func failures() throws {
        let unit = try converter()
        let noConnection = UnitError.Code.noConnection.rawValue
        try expectEqual(PulledSlices.render(unit, [64]).status, noConnection)
        expectEqual(unit.takeLastRenderError(), noConnection)
        unsafe try unit.setSource(RenderCode { _, _, _, _, _ in 1234 }, input: 0)
        try expectEqual(PulledSlices.render(unit, [64]).status, 1234)
        expectEqual(unit.takeLastRenderError(), 1234)
        expectEqual(unit.takeLastRenderError(), 0)
        let source = FloatSource(constant: 0.5)
        try unit.setSource(source.code, input: 0)
        try expectEqual(PulledSlices.render(unit, [2]).samples(), [[0.5, 0.5], [0.5, 0.5]])
        try unit.setSource(nil, input: 0)
        try expectEqual(PulledSlices.render(unit, [64]).status, noConnection)
    }

    private func code(_ body: () throws -> Void) -> UnitError.Code? {
        do { try body() } catch { return (error as? UnitError)?.code }
        return nil
    }

    @Test("refuses lists, frames and buses that do not fit") func arguments() throws {
        let source = FloatSource(constant: 0.5)
        let unit = try converter(source)
        expectEqual(code { _ = try PulledSlices.render(unit, [1157]) }, .tooManyFramesToProcess)
        expectEqual(code { _ = try PulledSlices.render(unit, [-1]) }, .tooManyFramesToProcess)
        expectEqual(code { _ = try PulledSlices.render(unit, [64], bus: 1) }, .invalidElement)
        try unit.setLendsMemory(false)
        expectEqual(code { _ = try PulledSlices.render(unit, [64]) }, .parameter)
        try unit.setLendsMemory(true)
        var list = AudioBufferList()
        list.mNumberBuffers = 1
        var (actions, time) = (RenderActions(), AudioTimeStamp())
        expectEqual(
            code {
                _ = try unsafe withUnsafeMutablePointer(to: &list) { list in
                    try unsafe unit.render(
                        &actions, &time, bus: 0, frames: 4, into: UnsafeMutableAudioBufferListPointer(list))
                }
            }, .parameter)
        expectEqual(code { try unit.setSource(source.code, input: 1) }, .invalidElement)
        expectEqual(
            code { try unit.setFormat(.float(channels: 2, sampleRate: 44_100), .input(1)) }, .invalidElement
        )
        expectEqual(
            code { try unit.setFormat(.float(channels: 33, sampleRate: 44_100), .output) },
            .formatNotSupported)
        expectEqual(code { try unit.setMaximumFrames(0) }, .invalidPropertyValue)
        expectEqual(code { try unit.setMaximumFrames(1 << 20) }, nil)
        expectEqual(code { try unit.setInputCount(2) }, .propertyNotWritable)
        #expect(source.calls.isEmpty)
        unit.uninitialize()
        expectEqual(code { _ = try PulledSlices.render(unit, [64]) }, .uninitialized)
        // More memory than is reasonable.
        try unit.setFormat(.float(bits: 64, channels: 32, sampleRate: 44_100), .output)
        expectEqual(code { try unit.initialize() }, .failedInitialization)
    }

    @Test("takes another format at the next slice") func formatChange() throws {
        let unit = try converter(FloatSource(constant: 0.5))
        try expectEqual(PulledSlices.render(unit, [1]).samples(), [[0.5], [0.5]])
        try unit.setFormat(.signedInteger(bits: 16, channels: 1, sampleRate: 44_100), .output)
        try expectEqual(PulledSlices.render(unit, [2]).samples(as: Int16.self), [[16_384, 16_384]])
    }

    @Test("does not render within its own source") func recursion() throws {
        let unit = PulledUnit.converter()
        let inner = Tally()
        unsafe try unit.setSource(
            RenderCode { [weak unit] _, _, _, _, _ in
                guard let unit else { return -1 }
                do throws(UnitError) { _ = try PulledSlices.render(unit, [1]) } catch {
                    if error.code == .cannotDoInCurrentContext { inner.add() }
                }
                // Ends the unit while it renders.
                unit.uninitialize()
                return 0
            }, input: 0)
        try unit.initialize()
        let slice = try PulledSlices.render(unit, [4])
        expectEqual(slice.status, 0)
        // The memory that the unit has lent is still there.
        expectEqual(slice.samples(), [[0, 0, 0, 0], [0, 0, 0, 0]])
        expectEqual(inner.now, 1)
        #expect(!unit.isInitialized)
    }

    @Test("processes in place, if each frame becomes one") func process() throws {
        let unit = try converter(to: .float(isInterleaved: false, channels: 2, sampleRate: 44_100))
        var (left, right): ([Float], [Float]) = ([1, 2, 3], [4, 5, 6])
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe free(list.unsafeMutablePointer) }
        var (actions, time) = (RenderActions(), AudioTimeStamp())
        func process() throws -> Int32 {
            try unsafe left.withUnsafeMutableBufferPointer { left in
                try unsafe right.withUnsafeMutableBufferPointer { right in
                    unsafe list[0] = unsafe AudioBuffer(left, numberOfChannels: 1)
                    unsafe list[1] = unsafe AudioBuffer(right, numberOfChannels: 1)
                    return try unsafe unit.process(&actions, &time, frames: 3, in: list)
                }
            }
        }
        try expectEqual(process(), 0)
        #expect(left == [1, 2, 3] && right == [4, 5, 6])
        try unit.setFormat(.float(isInterleaved: false, channels: 2, sampleRate: 8_000), .input(0))
        try expectEqual(process(), UnitError.Code.cannotDoInCurrentContext.rawValue)
    }

    @Test("processes whole slices in place, also if the output's samples are smaller") func processNarrower()
        throws
    {
        let unit = try converter(
            from: .float(channels: 1, sampleRate: 44_100),
            to: .signedInteger(bits: 16, channels: 1, sampleRate: 44_100))
        var samples = [Float](repeating: 0.5, count: 512)
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 1)
        defer { unsafe free(list.unsafeMutablePointer) }
        var (actions, time) = (RenderActions(), AudioTimeStamp())
        let shorts = try unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe list[0] = unsafe AudioBuffer(samples, numberOfChannels: 1)
            let status = try unsafe unit.process(&actions, &time, frames: 512, in: list)
            expectEqual(status, 0)
            return unsafe Array(UnsafeMutableBufferPointer<Int16>(list[0]))
        }
        expectEqual(shorts, [Int16](repeating: 16_384, count: 512))
    }

    @Test(
        "allocates no memory while it renders",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"),
        arguments: [44_100.0, 48_000])
    func allocations(sampleRate: Double) throws {
        let unit = PulledUnit.converter()
        unsafe try unit.setSource(RenderCode { _, _, _, _, _ in 0 }, input: 0)
        try unit.setFormat(.signedInteger(bits: 16, channels: 2, sampleRate: sampleRate), .output)
        try unit.initialize()
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 1)
        defer { unsafe free(list.unsafeMutablePointer) }
        var (actions, time) = (RenderActions(), AudioTimeStamp())
        func render(_ slices: Int) throws {
            for _ in 0..<slices {
                unsafe list[0] = unsafe AudioBuffer()
                _ = try unsafe unit.render(&actions, &time, bus: 0, frames: 256, into: list)
            }
        }
        // The buffers of the library that converts rates grow at first.
        try render(50)
        let before = aq_meter_allocations()
        try render(100)
        expectEqual(aq_meter_allocations(), before)
    }
}
