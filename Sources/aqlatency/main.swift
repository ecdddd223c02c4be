// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

// The process ends at once: threads and connections need no cleanup, and nothing is played any more.
_exit(LatencyTool.run(ProcessArguments.afterName()).rawValue)
