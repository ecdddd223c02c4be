// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

// The process ends at once: threads and connections need no cleanup, and the files are closed.
_exit(RecordTool.run(ProcessArguments.afterName()).rawValue)
