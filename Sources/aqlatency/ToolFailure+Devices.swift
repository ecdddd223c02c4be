// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQDeviceListing
import AQToolSupport

extension ToolFailure {
    private static let advice = DeviceAdvice(purpose: "measure")

    /// The failure for an error of a queue, with advice.
    init(_ error: QueueError) {
        switch error.code {
        case .cannotStart, .invalidDevice, .queueInvalidated:
            self.init(.noSoundServer, Self.advice.message(for: error))
        default: self.init(.failure, Self.advice.message(for: error))
        }
    }

    /// The failure for an error of a device, with advice.
    init(_ error: DeviceError) { self.init(.noSoundServer, Self.advice.message(for: error)) }

    /// The failure for an error of a queue or a device.
    init(_ error: any Error) {
        switch error {
        case let error as QueueError: self.init(error)
        case let error as DeviceError: self.init(error)
        default: self.init(.failure, "cannot measure: \(error)")
        }
    }
}
