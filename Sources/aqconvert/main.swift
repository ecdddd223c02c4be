// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

// The process ends at once: threads need no cleanup, and the files are closed.
_exit(ConvertTool.run(ProcessArguments.afterName()).rawValue)
