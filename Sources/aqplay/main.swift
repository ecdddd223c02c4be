// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

// The process ends at once: threads and connections need no cleanup, and playback has ended.
_exit(PlayTool.run(ProcessArguments.afterName()).rawValue)
