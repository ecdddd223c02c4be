// SPDX-License-Identifier: MIT

import AQNetworkInput
import AQToolSupport

extension ConvertOptions {
    /// The settings of input from a server.
    ///
    /// - Parameter notice: Receives a line when a connection was lost, on any thread.
    func networkOptions(notice: @escaping @Sendable (String) -> Void) -> NetworkInput.Options {
        var options = NetworkInput.Options(userAgent: "\(ConvertTool.name)/\(PackageVersion.text)")
        options.splitsBroadcasts = false
        options.bufferSeconds = 0
        options.awaitsUnknownEnd = false
        options.notice = notice
        return options
    }
}
