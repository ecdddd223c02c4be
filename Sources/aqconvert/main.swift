import Glibc
import ToolSupport

// The process ends here and now: threads need no farewell, and the files are closed.
_exit(ConvertTool.run(ProcessArguments.afterName()).rawValue)
