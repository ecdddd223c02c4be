// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import AQDeviceListing
import AQToolSupport

/// The parts of a recorder.
extension Recorder {
    /// The longest wait for the device's rate and channels, in seconds.
    private static let answerSeconds = 5.0
    /// The duration of the audio that the device delivers at a time while levels are shown, in seconds.
    private static let displayFragmentSeconds = 0.05

    /// Returns the format of the file, with the device's rate and channels unless options set others.
    static func format(
        _ options: RecordOptions, of device: any InputDevice
    ) throws(ToolFailure) -> RecordingFormat {
        var (sampleRate, channels) = (options.sampleRate, options.channels)
        if sampleRate == nil || channels == nil {
            do throws(DeviceError) {
                let native = try device.nativeFormat(timeoutSeconds: answerSeconds)
                let stored = options.target.type.storedSampleRate(of: native.sampleRate)
                (sampleRate, channels) = (sampleRate ?? stored, channels ?? native.channels)
            } catch {
                throw ToolFailure(.noSoundServer, advice.message(for: error))
            }
        }
        if let encoding = options.encoding(sampleRate: sampleRate ?? 0, channels: channels ?? 0) {
            do throws(CodecError) {
                // The samples that the encoder accepts.
                return RecordingFormat(try encoding.makeEncoder().inputFormat)
            } catch {
                throw ToolFailure(.failure, "cannot record \(options.target.name): \(error.message)")
            }
        }
        do throws(UsageError) {
            try options.checkBitRate(sampleRate: sampleRate ?? 0, channels: channels ?? 0)
        } catch {
            throw ToolFailure(.usage, error.message)
        }
        do throws(AudioFileError) {
            return RecordingFormat(
                try options.target.type.pcmFormat(
                    sampleRate: sampleRate ?? 0, channels: channels ?? 0, bits: options.bits,
                    isFloat: options.isFloat))
        } catch {
            throw ToolFailure(.failure, "cannot record \(options.target.name): \(error.message)")
        }
    }

    static func makeIntake(
        _ options: RecordOptions, _ format: RecordingFormat, _ sourceEnd: SourceChoice.End?, isAttended: Bool,
        _ outbox: Outbox
    ) -> Intake {
        let measures = options.isJSON || options.isVerbose || isAttended
        let plan = FileSequence.Plan(
            target: options.target, format: format.description,
            encoding: options.encoding(
                sampleRate: format.sampleRate, channels: Int(format.description.mChannelsPerFrame)),
            bitRate: options.bitRate, split: options.split, overwrites: options.overwrites,
            syncFrames: options.syncSeconds.map { format.frames(inSeconds: $0) },
            source: options.source.file, scanner: measures ? format.scanner : nil)
        let files = FileSequence(
            plan, onWarning: { outbox.post(.warning($0)) }, onFileEnd: { outbox.post(.fileEnded($0)) })
        let preRollFrames = Int((options.preRollSeconds * format.sampleRate).rounded())
        let gate = LevelGate(
            startLevel: options.startLevel, preRollFrames: preRollFrames,
            silence: options.silence.map {
                .init(level: $0.level, frames: format.frames(inSeconds: $0.seconds))
            })
        return Intake(
            files: files, format: format, gate: gate, preRollFrames: preRollFrames,
            length: length(options, format), sourceEnd: sourceEnd,
            bufferCount: options.bufferCount, watchesDisk: isAttended, outbox: outbox)
    }

    /// Returns the number of frames after which the recording ends; nil for no limit.
    private static func length(_ options: RecordOptions, _ format: RecordingFormat) -> Int64? {
        switch options.length {
        case nil: nil
        case .frames(let frames): frames
        case .seconds(let seconds): format.frames(inSeconds: seconds)
        }
    }

    /// Returns the number of frames in a buffer: the requested number, or fewer, so that the recording ends with a full
    /// buffer instead of waiting for one.
    static func bufferFrames(_ options: RecordOptions, _ format: RecordingFormat) -> Int64 {
        let most = format.frames(inSeconds: options.bufferSeconds)
        // If levels start or end the recording, the number of captured frames is unknown.
        guard let length = length(options, format), options.startLevel == nil, options.silence == nil else {
            return most
        }
        let buffers = (length - 1) / most + 1
        return (length - 1) / buffers + 1
    }

    /// Makes one of the queue's buffers, and enqueues it.
    static func addBuffer(
        to queue: InputQueue, _ options: RecordOptions, _ format: RecordingFormat
    ) throws(QueueError) {
        let byteCapacity = Int(bufferFrames(options, format)) * format.bytesPerFrame
        try queue.enqueue(queue.allocateBuffer(byteCapacity: byteCapacity))
    }

    static func makeQueue(
        _ options: RecordOptions, _ format: RecordingFormat, _ device: any InputDevice, _ intake: Intake,
        _ outbox: Outbox, showsProgress: Bool
    ) throws(ToolFailure) -> InputQueue {
        let configuration = InputQueue.Configuration(
            recoverySeconds: options.recoverySeconds, name: intake.streamName, role: .production,
            iconName: "audio-input-microphone",
            fragmentSeconds: showsProgress ? min(displayFragmentSeconds, options.bufferSeconds) : nil)
        do throws(QueueError) {
            let queue = try InputQueue(
                format: format.description, device: device, configuration: configuration
            ) {
                queue, buffer, info in intake.bufferFilled(buffer, info, of: queue)
            }
            for _ in 0..<options.bufferCount { try addBuffer(to: queue, options, format) }
            try queue.addListener(for: .isRunning) { queue in
                if queue.isRunning {
                    intake.queueStarted()
                    outbox.post(.deviceStarted)
                }
            }
            try queue.addListener(for: .device) { _ in outbox.post(.deviceChanged) }
            try queue.addListener(for: .failure) { _ in intake.queueFailed() }
            if options.gain != 1 { queue.setInputGain(options.gain) }
            if showsProgress { queue.isMeteringEnabled = true }
            return queue
        } catch {
            throw ToolFailure(status(for: error), message(for: error))
        }
    }

    static func status(for failure: QueueError) -> ExitStatus {
        switch failure.code {
        case .cannotStart, .invalidDevice, .queueInvalidated: .noSoundServer
        default: .failure
        }
    }

    private static let advice = DeviceAdvice(
        purpose: "record", devices: "sources", alternative: "record without it with '--device virtual'")

    /// Returns the message for a failed queue, with advice.
    static func message(for failure: QueueError) -> String {
        advice.message(for: failure)
    }
}
