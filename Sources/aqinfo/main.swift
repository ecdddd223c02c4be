// SPDX-License-Identifier: MIT

import Glibc
import ToolSupport

exit(InfoTool.run(ProcessArguments.afterName(), .process).rawValue)
