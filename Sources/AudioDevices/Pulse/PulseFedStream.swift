import Synchronization

/// A stream of either kind, as the loop's thread reaches it without counting references.
///
/// Nothing is held: the connection holds its clients.
@safe enum PulseFedStream {
    // SAFETY: used only while the connection holds the stream.
    case output(Unmanaged<PulseStream>)
    case input(Unmanaged<PulseInputStream>)

    /// Goes on where the stream waited for its client. REAL-TIME.
    @_noLocks func feed() {
        switch self {
        case .output(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.feedIfAsked() }
        case .input(let stream): unsafe stream._withUnsafeGuaranteedRef { $0.handOverIfWaiting() }
        }
    }
}

/// All streams of a connection. Belongs to the loop's thread.
@safe struct PulseFedStreams: ~Copyable {
    // REAL-TIME: an array is retained while it is walked over.
    private var streams = unsafe UnsafeMutableBufferPointer<PulseFedStream>(start: nil, count: 0)

    deinit { unsafe streams.deallocate() }

    /// - Parameter all: Those that there are from now on. Not to be called from within ``feed()``.
    mutating func replace(with all: [PulseFedStream]) {
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

extension PulseStream {
    var fedStream: PulseFedStream { unsafe .output(.passUnretained(self)) }

    /// Feeds after a ``dataAvailable()`` for this stream, and not for others: of hundreds each asks in its turn, while
    /// all wait for their clients. REAL-TIME.
    @_noLocks func feedIfAsked() {
        if !mustBeFed.load(ordering: .relaxed) { return }
        // What is enqueued from here on asks anew.
        if mustBeFed.exchange(false, ordering: .acquiringAndReleasing) { writeWhatIsAsked() }
    }
}

extension PulseInputStream {
    var fedStream: PulseFedStream { unsafe .input(.passUnretained(self)) }

    /// After a ``roomAvailable()``: hands out what waits for room. REAL-TIME.
    @_noLocks func handOverIfWaiting() {
        if isWaiting.load(ordering: .relaxed) { handOverHeld() }
    }
}
