// SPDX-License-Identifier: MIT

// `OSLog` contains only the messages, because there is no store to read. It exports Foundation, as on Apple's systems.

@_exported public import Foundation
@_exported public import os
