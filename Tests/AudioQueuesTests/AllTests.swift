import Testing

/// All tests of this target, one after the other: some count what is alive in the process.
@Suite("Audio queues", .serialized) enum AllTests {}
