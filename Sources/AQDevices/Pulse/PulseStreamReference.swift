// SPDX-License-Identifier: MIT

/// An unretained reference to a playback or capture stream, for the loop's thread.
///
/// The connection retains the stream.
@safe enum PulseStreamReference {
    // SAFETY: used only while the connection holds the stream.
    case output(Unmanaged<PulseStream>)
    case input(Unmanaged<PulseInputStream>)

    /// An event of the server's stream on the audio path.
    enum Event {
        /// The server requests data, or has sent data.
        case transfer
        /// A timing answer arrived.
        case timing
        /// The server ran out of data.
        case underrun
        /// The server has begun to play data after it had none.
        case sound
    }

    // MARK: The audio path. REAL-TIME.

    /// Feeds the server or the client's segments, if the stream was waiting for its client.
    @_noLocks func feed() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.feedIfAsked() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.handOverIfWaiting() }
        }
    }

    @_noLocks func report(_ event: Event) {
        switch self {
        case .output(let stream):
            unsafe stream._withUnsafeGuaranteedRef {
                switch event {
                case .transfer: $0.dataWanted()
                case .timing: $0.timingChanged()
                case .underrun: $0.underran()
                case .sound: $0.audioStarted()
                }
            }
        case .input(let stream):
            unsafe stream._withUnsafeGuaranteedRef {
                switch event {
                case .transfer: $0.readFragments()
                case .timing: $0.readTiming()
                case .underrun, .sound: break
                }
            }
        }
    }

    // MARK: Off the audio path

    /// Whether it is a playback stream.
    var isOutput: Bool { if case .output = self { true } else { false } }

    /// The stream itself.
    var client: any PulseConnectionClient {
        switch self {
        case .output(let stream): unsafe stream.takeUnretainedValue()
        case .input(let stream): unsafe stream.takeUnretainedValue()
        }
    }
}

/// All streams of a connection. Belongs to the loop's thread.
@safe struct PulseStreamReferences: ~Copyable {
    // REAL-TIME: iterating over an array retains it.
    private var streams = unsafe UnsafeMutableBufferPointer<PulseStreamReference>(start: nil, count: 0)

    deinit { unsafe streams.deallocate() }

    /// Replaces the streams. Must not be called within ``feed()``.
    mutating func replace(with all: [PulseStreamReference]) {
        unsafe streams.deallocate()
        unsafe streams = .allocate(capacity: all.count)
        _ = unsafe streams.initialize(fromContentsOf: all)
    }

    /// Feeds each stream that was waiting for its client. REAL-TIME.
    @_noLocks func feed() {
        var index = 0
        while unsafe index < streams.count {
            unsafe streams[index].feed()
            index &+= 1
        }
    }
}
