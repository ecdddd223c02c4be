// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput
import Synchronization

/// The server that sends the input of a conversion, if one does.
///
/// A live input may have no end, and is recorded until the user ends it.
final class NetworkSource: Sendable {
    private let input = Mutex<NetworkInput?>(nil)
    private let isEndedByUser = Atomic<Bool>(false)
    /// The problems of a live input before the user ended it.
    private let problems = Mutex<[AudioFileProblem]>([])

    /// Opens the file or the stream behind an address.
    func open(_ address: RemoteAddress, options: NetworkInput.Options) throws(AudioFileError) -> AudioFile {
        let opened = NetworkInput(address, options: options)
        input.withLock { $0 = opened }
        return try opened.open(isEndNeeded: true)
    }

    /// Whether the input is a stream that may have no end. Called by any thread.
    var isLive: Bool { input.withLock { $0 }?.mayBeEndless ?? false }

    /// Ends a live input after the bytes that were received. Called by any thread.
    ///
    /// - Returns: False if the input is not live.
    func end() -> Bool {
        guard let input = input.withLock({ $0 }), input.mayBeEndless else { return false }
        isEndedByUser.store(true, ordering: .sequentiallyConsistent)
        input.endStream()
        return true
    }

    /// Whether the user has ended the input, so that it ends at any byte.
    var wasEnded: Bool { isEndedByUser.load(ordering: .sequentiallyConsistent) }

    /// Keeps the problems of a live input so far. Called before each block, by the thread that reads.
    func noteProblems(of file: AudioFile) {
        guard isLive, !wasEnded else { return }
        problems.withLock { $0 = file.problems }
    }

    /// The problems of a file that was read, without those that are due to the user's end.
    func problems(of file: AudioFile) -> [AudioFileProblem] {
        wasEnded ? problems.withLock { $0 } : file.problems
    }
}
