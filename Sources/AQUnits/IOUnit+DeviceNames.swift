// SPDX-License-Identifier: MIT

import AQDevices
import AQThreads

extension IOUnit {
    /// The names of the devices that an initialized unit uses, the output's first; empty before they are connected.
    public var deviceNames: [String] {
        guard let streams = streams.load() else { return [] }
        return [streams.output?.granted?.deviceName, streams.input?.granted?.deviceName].compactMap(\.self)
    }

    /// The name of the device on which the output plays because its own device has disappeared, or because a user has
    /// moved it; nil if it plays on its own device, or follows the default.
    public var replacingDeviceName: String? {
        let (streams, isRunning) = currentStreams
        guard isRunning, let streams,
            let own = streams.setup.outputDevice?.name, own != "default",
            let used = streams.output?.granted?.deviceName, used != own, used != "unknown"
        else { return nil }
        return used
    }
}
