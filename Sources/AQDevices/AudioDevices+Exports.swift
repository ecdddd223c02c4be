// SPDX-License-Identifier: MIT

/// The locks and threads of this module are those of the modules that use it.
@_exported public import AQThreads
