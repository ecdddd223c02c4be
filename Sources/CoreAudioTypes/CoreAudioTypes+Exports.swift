// SPDX-License-Identifier: MIT

/// The C structs and constants, as part of this module's interface.
@_exported public import CAQCoreAudioTypes
