// SPDX-License-Identifier: MIT

// `OSLog` contains only the messages, because there is no store to read.

@_exported public import os
