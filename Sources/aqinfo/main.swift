// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

exit(InfoTool.run(ProcessArguments.afterName(), .process).rawValue)
