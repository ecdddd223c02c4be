import Glibc
import ToolSupport

// The process ends here and now: threads and connections need no farewell, and the sound was heard.
_exit(PlayTool.run(ProcessArguments.afterName()).rawValue)
