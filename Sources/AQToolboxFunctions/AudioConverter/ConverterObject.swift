// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// The object of an `AudioConverterRef`: a converter of the engine, and the settings that it was made from.
///
/// The formats, codec settings and cookie of the engine's converter are constant; in the published API they are
/// properties. So a changed setting makes another converter. The new converter replaces the old one at once if the old
/// one has converted nothing, otherwise at the next reset. In both cases a setting that is not possible is an error at
/// once.
final class ConverterObject: @unchecked Sendable {
    // SAFETY: a client uses a converter on one thread at a time, as published; the converter of an extended
    // audio file, which the library shares between threads, is used behind that file's lock.

    static let handles = HandleTable<ConverterObject>()

    private(set) var request: ConverterRequest
    private(set) var engine: AudioConverter {
        didSet { if engine !== oldValue { earlierDamagedPackets += oldValue.damagedPackets } }
    }
    /// The number of damaged packets of the engines before the current one.
    private var earlierDamagedPackets = 0
    /// The converter that replaces the engine at the next reset.
    private var successor: AudioConverter?
    /// The converter for lists of buffers that are not part of the stream; made on first use.
    private var direct: AudioConverter?
    /// Whether frames are converted from buffer to buffer, and none are kept.
    let isUnbuffered: Bool
    /// Whether buffers were filled since the last reset.
    private var isStarted = false
    /// Whether a procedure of the client may be running.
    private var isConverting = false
    /// The input of the client's procedure; made before its first call.
    private var clientInput: ClientInput?

    /// Makes a converter.
    ///
    /// - Parameter isUnbuffered: True for a converter that only converts buffers.
    /// - Throws: The engine's errors, and `unsupportedFormat` for formats that need more than buffers.
    init(_ request: ConverterRequest, isUnbuffered: Bool = false) throws(CodecError) {
        self.request = request
        self.isUnbuffered = isUnbuffered
        engine = try request.makeConverter()
        if isUnbuffered, !engine.convertsFrameByFrame {
            throw CodecError(
                .unsupportedFormat,
                "cannot convert without a buffer: the formats differ in more than samples")
        }
    }

    var inputFormat: AudioStreamBasicDescription { engine.inputFormat }
    var outputFormat: AudioStreamBasicDescription { engine.outputFormat }

    var isEncoding: Bool { !outputFormat.isLinearPCM }
    var isDecoding: Bool { !inputFormat.isLinearPCM }
    /// The number of packets that could not be decoded and became silence.
    var damagedPackets: Int { earlierDamagedPackets + engine.damagedPackets }
    var isConvertingRate: Bool { inputFormat.mSampleRate != outputFormat.mSampleRate }

    // MARK: Changes

    /// Makes another converter with a changed setting; leaves the old one if the setting is not possible.
    func change(_ edit: (inout ConverterRequest) -> Void) throws(StatusError) {
        var next = request
        edit(&next)
        do throws(CodecError) {
            let made = try next.makeConverter()
            request = next
            if isStarted { successor = made } else { engine = made }
            direct = nil
        } catch { throw StatusError(error) }
    }

    /// Drops the input, and applies the changes since the start.
    func reset() -> OSStatus {
        // The engine is running, with the client's procedure on the stack.
        guard !isConverting else { return kAudioConverterErr_OperationNotSupported }
        if let next = successor {
            engine = next
            successor = nil
        } else {
            do throws(CodecError) { try engine.reset() } catch { return error.status }
        }
        isStarted = false
        return noErr
    }

    /// Begins a stream with a trim of its frames.
    func begin(trim: FrameTrim?) -> OSStatus {
        request.inputTrim = trim
        engine.inputTrim = trim
        successor?.inputTrim = trim
        return reset()
    }

    // MARK: Work

    /// Fills buffers from `supply`.
    ///
    /// - Throws: Errors of the engine and of `supply`; `unsupportedOperation` inside another call's
    ///   procedure, and for a converter without a buffer.
    @unsafe
    func fill(
        _ output: UnsafeMutableAudioBufferListPointer,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, maximumPackets: Int,
        supply: (_ packetsWanted: Int) throws -> AudioConverter.Supply
    ) throws -> AudioConverter.Filled {
        guard !isConverting, !isUnbuffered else {
            throw CodecError(
                .unsupportedOperation, "cannot fill buffers: the converter is busy, or keeps none")
        }
        isConverting = true
        defer { isConverting = false }
        isStarted = true
        // COMPAT: linear PCM and other packets of one size are not described, whatever is passed: there may
        // be room for one description only.
        let packetDescriptions =
            unsafe outputFormat.hasConstantPacketSize
            ? nil
            : descriptions.map { unsafe UnsafeMutableBufferPointer(start: $0, count: maximumPackets) }
        return try unsafe engine.fill(
            output, descriptions: packetDescriptions, maximumPackets: maximumPackets, supply: supply)
    }

    /// Requests packets from a procedure of the client.
    ///
    /// - Parameter status: Set to the procedure's result. A result other than `noErr` means that there are no
    ///   packets at present.
    @unsafe
    func ask(
        for packets: Int, status: inout OSStatus, _ procedure: ClientInput.Procedure
    ) -> AudioConverter.Supply {
        let input = clientInput ?? ClientInput(format: inputFormat, packetBytes: engine.minimumInputBytes)
        clientInput = input
        return unsafe input.ask(for: packets, status: &status, procedure)
    }

    /// Drops the converter for buffers after a failure: it may hold frames of a call that has ended.
    func letGoOfDirectConverter() { direct = nil }

    /// The converter for buffers that are not part of the stream. The stream is not affected.
    ///
    /// - Throws: `unsupportedOperation` if the conversion changes the number of frames, or inside a procedure.
    func directConverter() throws(CodecError) -> AudioConverter {
        guard engine.convertsFrameByFrame, !isConverting else {
            throw CodecError(
                .unsupportedOperation, "cannot convert buffers: frames do not become as many")
        }
        if let direct { return direct }
        let made = try request.makeConverter()
        direct = made
        return made
    }
}
