// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AQToolSupport

extension SourceChoice {
    /// Returns the frame at which a source has ended; nil before that.
    typealias End = @Sendable () -> Int64?

    /// Returns the device, and its end if the options set none: after the end of a file that is read as fast as
    /// possible, silence would otherwise fill the disk.
    ///
    /// - Throws: ``ToolFailure`` if the device is not available.
    func makeDevice(_ options: RecordOptions) throws(ToolFailure) -> (device: any InputDevice, end: End?) {
        switch self {
        case .defaultSource: return (try Self.pulse { () throws(DeviceError) in try PulseSource() }, nil)
        case .source(let name):
            return (try Self.pulse { () throws(DeviceError) in try PulseSource(source: name) }, nil)
        case .monitor(let sink):
            return (try Self.pulse { () throws(DeviceError) in try PulseSource(monitorOf: sink) }, nil)
        case .virtual(let sound, let isFast):
            let (content, rate, channels) = try Self.content(of: sound, options)
            let device = VirtualSource(
                content, sampleRate: rate, channels: channels,
                pace: isFast ? .asFastAsRoomAllows : .realTime)
            guard isFast, options.length == nil, let file = content as? FileContent else {
                return (device, nil)
            }
            return (device, { file.endFrame })
        }
    }

    private static func pulse(
        _ make: () throws(DeviceError) -> PulseSource
    ) throws(ToolFailure) -> PulseSource {
        do throws(DeviceError) { return try make() } catch {
            throw ToolFailure(.noSoundServer, error.message)
        }
    }

    private static func content(
        of sound: VirtualSound, _ options: RecordOptions
    ) throws(ToolFailure) -> (any CaptureContent, sampleRate: Double, channels: Int) {
        let (rate, channels) = (options.sampleRate ?? 48_000, options.channels ?? 2)
        switch sound {
        case .silence: return (SilentContent(), rate, channels)
        case .tone(let frequency): return (ToneContent(frequency: frequency), rate, channels)
        case .sequence: return (SequenceContent(), rate, channels)
        case .file(let path):
            let content: FileContent
            do throws(AudioFileError) {
                content = try FileContent(path: path)
            } catch {
                throw ToolFailure(.failure, error.message)
            }
            guard options.sampleRate ?? content.sampleRate == content.sampleRate,
                options.channels ?? content.channels == content.channels
            else {
                let rate = Decimal.text(content.sampleRate, decimals: 0)
                throw ToolFailure(
                    .usage,
                    "'\(path)' has \(content.channels) channels at \(rate) Hz, and can only be recorded "
                        + "unchanged")
            }
            let stored = options.target.type.storedSampleRate(of: content.sampleRate)
            guard stored == content.sampleRate else {
                throw ToolFailure(
                    .usage,
                    "'\(path)' has \(Decimal.text(content.sampleRate, decimals: 0)) Hz, which "
                        + "\(options.target.type.name) files do not support; aqconvert can resample it")
            }
            return (content, content.sampleRate, content.channels)
        }
    }
}
