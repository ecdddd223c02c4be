import Testing

/// All tests of this target. Each has its own family of queues, which counts its live objects.
@Suite("Audio queues", .ownFamily) enum AllTests {}
