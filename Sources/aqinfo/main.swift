import Glibc
import ToolSupport

exit(Tool.run(ProcessArguments.afterName(), .process).rawValue)
