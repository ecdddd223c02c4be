import AudioCodecs
import CAudioToolbox
import CoreAudioTypes

/// What stands behind an `AudioConverterRef`: a converter of the engine, and the wishes it was made of.
///
/// The engine's converter keeps its formats, its codec's settings and its cookie for life; the published one
/// takes them as properties. So another is made when a wish changes: in place of the old one if that has not
/// converted anything, else for the time after the next reset. Either way the caller hears at once of what
/// cannot be.
final class ConverterObject: @unchecked Sendable {
    // SAFETY: a client uses a converter on one thread at a time, as published; what the library itself shares
    // between threads, an extended audio file's, is used behind that file's lock.

    /// The converters that clients know of.
    static let handles = HandleTable<ConverterObject>()

    private(set) var wishes: ConverterWishes
    private(set) var engine: AudioConverter {
        didSet { if engine !== oldValue { earlierDamagedPackets += oldValue.damagedPackets } }
    }
    /// Those of the engines before this one.
    private var earlierDamagedPackets = 0
    /// What takes the engine's place at the next reset.
    private var successor: AudioConverter?
    /// Converts lists of buffers apart from the stream; made when first asked to.
    private var direct: AudioConverter?
    /// True if frames go from buffer to buffer alone, with nothing kept.
    let isUnbuffered: Bool
    /// True from the first fill to the next reset.
    private var isStarted = false
    /// True while a procedure of the client may run.
    private var isConverting = false
    /// What the client's procedure fills; made when it is first called.
    private var clientInput: ClientInput?

    /// Makes a converter.
    ///
    /// - Parameter isUnbuffered: True for one that converts buffers alone.
    /// - Throws: What the engine throws, and `unsupportedFormat` for formats that take more than buffers.
    init(_ wishes: ConverterWishes, isUnbuffered: Bool = false) throws(CodecError) {
        self.wishes = wishes
        self.isUnbuffered = isUnbuffered
        engine = try wishes.makeConverter()
        if isUnbuffered, !engine.convertsFrameByFrame {
            throw CodecError(
                .unsupportedFormat,
                "cannot convert without a buffer: the formats differ in more than samples")
        }
    }

    var inputFormat: AudioStreamBasicDescription { engine.inputFormat }
    var outputFormat: AudioStreamBasicDescription { engine.outputFormat }

    /// True if the output comes from an encoder, and has settings.
    var isEncoding: Bool { !outputFormat.isLinearPCM }
    /// True if the input goes to a decoder.
    var isDecoding: Bool { !inputFormat.isLinearPCM }
    /// Packets that could not be decoded and came out as silence.
    var damagedPackets: Int { earlierDamagedPackets + engine.damagedPackets }
    var isConvertingRate: Bool { inputFormat.mSampleRate != outputFormat.mSampleRate }

    // MARK: Changes

    /// Makes another converter with a wish changed; leaves all as it was if there is none such.
    func change(_ edit: (inout ConverterWishes) -> Void) -> OSStatus {
        var next = wishes
        edit(&next)
        do throws(CodecError) {
            let made = try next.makeConverter()
            wishes = next
            if isStarted { successor = made } else { engine = made }
            direct = nil
            return noErr
        } catch {
            return error.status
        }
    }

    /// Forgets the input so far; what was changed meanwhile holds from now on.
    func reset() -> OSStatus {
        // The engine is in the middle of its work, with the client's procedure on the stack.
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

    /// Begins a stream of which only some frames are sound.
    func begin(trim: FrameTrim?) -> OSStatus {
        wishes.inputTrim = trim
        engine.inputTrim = trim
        successor?.inputTrim = trim
        return reset()
    }

    // MARK: Work

    /// Fills buffers from what `supply` gives.
    ///
    /// - Throws: What the engine and `supply` throw; `unsupportedOperation` inside another call's procedure, and
    ///   for a converter without a buffer.
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
        // COMPAT: of linear PCM and other packets of one size nothing is described, whatever is passed: there
        // may be room for one description alone.
        let places =
            unsafe outputFormat.hasConstantPacketSize
            ? nil
            : descriptions.map { unsafe UnsafeMutableBufferPointer(start: $0, count: maximumPackets) }
        return try unsafe engine.fill(
            output, descriptions: places, maximumPackets: maximumPackets, supply: supply)
    }

    /// Asks a procedure of the client for packets.
    ///
    /// - Parameter status: Receives what it returned. Anything but 0 means that there are none for now.
    @unsafe
    func ask(
        for packets: Int, status: inout OSStatus, _ procedure: ClientInput.Procedure
    ) -> AudioConverter.Supply {
        let input = clientInput ?? ClientInput(format: inputFormat, packetBytes: engine.minimumInputBytes)
        clientInput = input
        return unsafe input.ask(for: packets, status: &status, procedure)
    }

    /// Lets go of the converter for buffers after a failure: it may hold on to frames of a call that is over.
    func letGoOfDirectConverter() { direct = nil }

    /// A converter for buffers apart from the stream, which this leaves alone.
    ///
    /// - Throws: `unsupportedOperation` if frames do not become as many frames.
    func directConverter() throws(CodecError) -> AudioConverter {
        guard engine.convertsFrameByFrame, !isConverting else {
            throw CodecError(
                .unsupportedOperation, "cannot convert buffers: frames do not become as many")
        }
        if let direct { return direct }
        let made = try wishes.makeConverter()
        direct = made
        return made
    }
}
