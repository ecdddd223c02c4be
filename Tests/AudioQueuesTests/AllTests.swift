// SPDX-License-Identifier: MIT

import AQTestTraits
import Testing

/// All tests of this target. Each has its own objects of queues, which counts its live objects.
@Suite("Audio queues", .ownLiveObjects, .waiting) enum AllTests {}
