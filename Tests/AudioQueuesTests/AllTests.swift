import Testing

/// All tests of this target. Each has a family of queues of its own, which counts what it leaves alive.
@Suite("Audio queues", .ownFamily) enum AllTests {}
