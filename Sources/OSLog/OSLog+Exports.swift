// `OSLog`: only the messages, since there is no store that could be read.

@_exported public import os
