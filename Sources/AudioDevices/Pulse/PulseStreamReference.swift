/// A stream of either direction, as the loop's thread reaches it without counting references.
///
/// Nothing is held: the connection holds its clients.
@safe enum PulseStreamReference {
    // SAFETY: used only while the connection holds the stream.
    case output(Unmanaged<PulseStream>)
    case input(Unmanaged<PulseInputStream>)

    // MARK: The audio path. REAL-TIME.

    /// Goes on where the stream waited for its client.
    @_noLocks func feed() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.feedIfAsked() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.handOverIfWaiting() }
        }
    }

    /// The server asks for data, or has sent some.
    @_noLocks func transfer() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.dataWanted() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.readWhatCame() }
        }
    }

    /// A timing answer came.
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

    /// The server plays data that it did not play before.
    @_noLocks func sounds() {
        if case .output(let stream) = self { unsafe stream._withUnsafeGuaranteedRef { $0.soundStarted() } }
    }

    // MARK: What happens seldom

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
    // REAL-TIME: an array is retained while it is walked over.
    private var streams = unsafe UnsafeMutableBufferPointer<PulseStreamReference>(start: nil, count: 0)

    deinit { unsafe streams.deallocate() }

    /// - Parameter all: Those that there are from now on. Not to be called from within ``feed()``.
    mutating func replace(with all: [PulseStreamReference]) {
        unsafe streams.deallocate()
        unsafe streams = .allocate(capacity: all.count)
        _ = unsafe streams.initialize(fromContentsOf: all)
    }

    /// Lets each go on where it waited for its client. REAL-TIME.
    @_noLocks func feed() {
        var index = 0
        while unsafe index < streams.count {
            unsafe streams[index].feed()
            index &+= 1
        }
    }
}
