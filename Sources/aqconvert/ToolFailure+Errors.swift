// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import AQToolSupport

extension ToolFailure {
    /// The failure of a conversion that the user has cancelled.
    static let interrupted = ToolFailure(.failure, "interrupted")

    init(reading error: AudioFileError) { self.init(.failure, error.message) }

    init(writing error: AudioFileError) {
        self.init(error.code == .unsupported ? .failure : .inputOutput, error.message)
    }

    init(_ error: CodecError) { self.init(.failure, error.message) }
}
