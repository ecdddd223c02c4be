// SPDX-License-Identifier: MIT

import AQNetworkInput
import AQToolSupport

extension PlayOptions {
    /// The settings of input from a server.
    ///
    /// - Parameter notice: Receives a line when a connection was lost, on any thread.
    func networkOptions(notice: @escaping @Sendable (String) -> Void) -> NetworkInput.Options {
        var options = NetworkInput.Options(userAgent: "aqplay/\(PackageVersion.text)")
        options.bufferSeconds = networkBufferSeconds
        options.reconnectSeconds = reconnectSeconds
        options.notice = notice
        return options
    }
}
