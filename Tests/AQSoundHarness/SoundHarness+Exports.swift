// SPDX-License-Identifier: MIT

// Measuring audio also needs tools and waits.
@_exported public import AQTestSupport
