// SPDX-License-Identifier: MIT

import AVFAudio
import AQDevices
import AudioToolbox
import CoreMedia
import Dispatch
import Foundation
import Synchronization
import AQTestSupport
import Testing

@testable import AVFoundation

/// Microphones in a table, which a test changes.
final class MicrophoneTable: Sendable {
    private struct State {
        /// Nil while no server answers.
        var devices: [DeviceInfo]?
        var changed: (@Sendable () -> Void)?
        var made: [String] = []
    }

    private final class Watch: Sendable {}

    private let state: Mutex<State>
    private let source: any InputDevice

    /// - Parameter source: The device of every microphone.
    init(_ devices: [DeviceInfo]?, source: any InputDevice = VirtualSource()) {
        state = Mutex(State(devices: devices))
        self.source = source
    }

    /// The names of the devices that were made.
    var made: [String] { state.withLock { $0.made } }
    var isWatched: Bool { state.withLock { $0.changed != nil } }

    func set(_ devices: [DeviceInfo]?) {
        let changed = state.withLock { state in
            state.devices = devices
            return state.changed
        }
        changed?()
    }

    /// Replaces the server's microphones by those of the table.
    func use() {
        CaptureHardware.replace(
            by: CaptureHardware(
                list: { [self] () throws(DeviceError) -> [DeviceInfo] in
                    guard let devices = state.withLock({ $0.devices }) else {
                        throw DeviceError(.noServer, "no server in the table")
                    }
                    return devices
                },
                makeInput: { [self] (name: String) throws(DeviceError) -> any InputDevice in
                    state.withLock { $0.made.append(name) }
                    return source
                },
                watch: {
                    [self] (
                        changed: @escaping @Sendable () -> Void
                    ) throws(DeviceError)
                        -> (any AnyObject & Sendable) in
                    state.withLock { $0.changed = changed }
                    return Watch()
                }))
    }

    /// Uses one microphone, and returns its input.
    static func useOne(
        _ source: any InputDevice, sampleRate: Double = 48_000, channels: Int = 2
    ) throws -> AVCaptureDeviceInput {
        let device = DeviceInfo.test("desk", channels: channels, sampleRate: sampleRate)
        MicrophoneTable([device], source: source).use()
        return try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio)))
    }
}

/// A delegate that keeps what it receives.
final class SampleListener: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
    /// The contents of a sample buffer.
    struct Piece: Sendable {
        var time: CMTime
        var duration: CMTime
        var frames: Int
        var format: AudioStreamBasicDescription?
        var bytes: [UInt8]

        /// 32-bit floats.
        var floats: [Float] {
            unsafe bytes.withUnsafeBytes { bytes in unsafe Array(bytes.bindMemory(to: Float.self)) }
        }
        /// 16-bit integers.
        var integers: [Int16] {
            unsafe bytes.withUnsafeBytes { bytes in unsafe Array(bytes.bindMemory(to: Int16.self)) }
        }
    }

    let queue = DispatchQueue(label: "captured audio of the test")
    private let list = Mutex<[Piece]>([])
    private let isOnQueue = Mutex(true)
    private static let mark = DispatchSpecificKey<Bool>()

    override init() {
        super.init()
        queue.setSpecific(key: Self.mark, value: true)
    }

    var pieces: [Piece] { list.withLock { $0 } }
    var isAlwaysOnQueue: Bool { isOnQueue.withLock { $0 } }

    func wait(forPieces count: Int) -> Bool { eventually { pieces.count >= count } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
    ) {
        if DispatchQueue.getSpecific(key: Self.mark) != true { isOnQueue.withLock { $0 = false } }
        let description = CMSampleBufferGetFormatDescription(sampleBuffer)
        let format = description.flatMap { description in
            unsafe CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee
        }
        var bytes: [UInt8] = []
        if let block = CMSampleBufferGetDataBuffer(sampleBuffer) {
            bytes = Array(repeating: 0, count: CMBlockBufferGetDataLength(block))
            let count = bytes.count
            unsafe bytes.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                _ = unsafe CMBlockBufferCopyDataBytes(
                    block, atOffset: 0, dataLength: count, destination: start)
            }
        }
        let piece = Piece(
            time: CMSampleBufferGetPresentationTimeStamp(sampleBuffer),
            duration: CMSampleBufferGetDuration(sampleBuffer),
            frames: CMSampleBufferGetNumSamples(sampleBuffer), format: format, bytes: bytes)
        list.withLock { $0.append(piece) }
    }
}

/// The notifications of a session, and the code of the error of each.
final class CaptureEvents: Sendable {
    private let list = Mutex<[String]>([])

    init(_ session: AVCaptureSession) {
        let names = [
            "started": AVCaptureSession.didStartRunningNotification,
            "stopped": AVCaptureSession.didStopRunningNotification,
            "error": AVCaptureSession.runtimeErrorNotification,
        ]
        for (label, name) in names {
            _ = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [weak self] notification in
                let error = notification.userInfo?[AVCaptureSessionErrorKey] as? NSError
                self?.list.withLock { $0.append(label + (error.map { " \($0.code)" } ?? "")) }
            }
        }
    }

    var all: [String] { list.withLock { $0 } }
}
