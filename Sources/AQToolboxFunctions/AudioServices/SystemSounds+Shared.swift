// SPDX-License-Identifier: MIT

import AQDevices
import AQSystemSounds

extension SystemSounds {
    /// The sounds that the C functions use.
    static let shared = SystemSounds(
        player: ClipPlayer { () throws(DeviceError) -> any OutputDevice in
            try QueueDevices.current.output(nil)
        })
}
