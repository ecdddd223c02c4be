// SPDX-License-Identifier: MIT

import AudioDevices
import AudioQueues
import ToolSupport

extension ToolFailure {
    /// The failure for an error of a queue, with advice.
    init(_ error: QueueError) {
        let message =
            error.message.hasPrefix("cannot ") ? error.message : "cannot measure: \(error.message)"
        switch error.code {
        case .cannotStart: self.init(.noSoundServer, message + "; start PulseAudio or PipeWire")
        case .invalidDevice:
            self.init(.noSoundServer, message + "; '--list-devices' shows the devices")
        case .queueInvalidated: self.init(.noSoundServer, message)
        default: self.init(.failure, message)
        }
    }

    /// The failure for an error of a device, with advice.
    init(_ error: DeviceError) {
        let message =
            error.message.hasPrefix("cannot ") ? error.message : "cannot measure: \(error.message)"
        switch error.code {
        case .noServer: self.init(.noSoundServer, message + "; start PulseAudio or PipeWire")
        case .noSuchDevice:
            self.init(.noSoundServer, message + "; '--list-devices' shows the devices")
        default: self.init(.noSoundServer, message)
        }
    }

    /// The failure for an error of a queue or a device.
    init(_ error: any Error) {
        switch error {
        case let error as QueueError: self.init(error)
        case let error as DeviceError: self.init(error)
        default: self.init(.failure, "cannot measure: \(error)")
        }
    }
}
