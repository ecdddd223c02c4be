// SPDX-License-Identifier: MIT

/// Programs also import this module for `os_unfair_lock` and its functions.
@_exported public import CAQPortability
