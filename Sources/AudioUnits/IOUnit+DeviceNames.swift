// SPDX-License-Identifier: MIT

import AudioDevices
import Threads

extension IOUnit {
    /// The names of the devices that an initialized unit uses, the output's first; empty before they are connected.
    public var deviceNames: [String] {
        guard let streams = state.withLock({ $0.streams }) else { return [] }
        return [streams.output?.granted?.deviceName, streams.input?.granted?.deviceName].compactMap(\.self)
    }
}
