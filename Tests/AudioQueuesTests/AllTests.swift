// SPDX-License-Identifier: MIT

import Testing

/// All tests of this target. Each has its own objects of queues, which counts its live objects.
@Suite("Audio queues", .ownLiveObjects) enum AllTests {}
