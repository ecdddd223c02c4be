import Glibc
import ToolSupport

// The process ends here and now: threads and connections need no farewell, and the files are closed.
_exit(RecordTool.run(ProcessArguments.afterName()).rawValue)
