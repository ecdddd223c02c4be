/// A stream of either direction, without a reference count, for the loop's thread.
///
/// It does not retain the stream; the connection does.
@safe enum PulseStreamReference {
    // SAFETY: used only while the connection holds the stream.
    case output(Unmanaged<PulseStream>)
    case input(Unmanaged<PulseInputStream>)

    // MARK: The audio path. REAL-TIME.

    /// Continues if the stream was waiting for its client.
    @_noLocks func feed() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.feedIfAsked() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.handOverIfWaiting() }
        }
    }

    /// The server requests data, or has sent some.
    @_noLocks func transfer() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.dataWanted() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.readWhatCame() }
        }
    }

    /// A timing answer arrived.
    @_noLocks func timed() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.timingChanged() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.readTiming() }
        }
    }

    /// The server ran out of data.
    @_noLocks func ranDry() {
        if case .output(let stream) = self { unsafe stream._withUnsafeGuaranteedRef { $0.ranDry() } }
    }

    /// The server has begun to play data after it had none.
    @_noLocks func sounds() {
        if case .output(let stream) = self { unsafe stream._withUnsafeGuaranteedRef { $0.soundStarted() } }
    }

    // MARK: Off the audio path

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

    /// - Parameter all: The new streams. Not to be called within ``feed()``.
    mutating func replace(with all: [PulseStreamReference]) {
        unsafe streams.deallocate()
        unsafe streams = .allocate(capacity: all.count)
        _ = unsafe streams.initialize(fromContentsOf: all)
    }

    /// Continues each stream that was waiting for its client. REAL-TIME.
    @_noLocks func feed() {
        var index = 0
        while unsafe index < streams.count {
            unsafe streams[index].feed()
            index &+= 1
        }
    }
}
