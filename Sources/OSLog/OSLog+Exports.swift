// `OSLog` under its own name: the messages alone, since nothing reads what was logged.

@_exported public import os
