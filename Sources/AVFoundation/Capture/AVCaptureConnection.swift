// SPDX-License-Identifier: MIT

import AQDevices
public import Foundation
import Synchronization

/// The connection of a microphone with an output of a session.
open class AVCaptureConnection: NSObject {
    let input: AVCaptureDeviceInput
    /// The output; nil after its release.
    open private(set) weak var output: AVCaptureOutput?
    let levels: CaptureLevels
    private let channels: [AVCaptureAudioChannel]
    private let isOn = Atomic(true)
    private let isRecording = Atomic(false)

    init(_ input: AVCaptureDeviceInput, _ output: AVCaptureOutput) {
        let levels = CaptureLevels(channels: input.device.info.channels)
        self.input = input
        self.output = output
        self.levels = levels
        channels = (0..<input.device.info.channels).map { AVCaptureAudioChannel(levels, index: $0) }
        super.init()
    }

    /// The channels of the microphone, with their levels.
    open var audioChannels: [AVCaptureAudioChannel] { channels }

    /// Whether audio is delivered, initially true.
    open var isEnabled: Bool {
        get { isOn.load(ordering: .relaxed) }
        set { isOn.store(newValue, ordering: .relaxed) }
    }

    /// Whether the session records through this connection.
    open var isActive: Bool { isRecording.load(ordering: .relaxed) && isEnabled }

    func setRecording(_ isRecording: Bool) {
        self.isRecording.store(isRecording, ordering: .relaxed)
        if !isRecording { levels.clear() }
    }
}
