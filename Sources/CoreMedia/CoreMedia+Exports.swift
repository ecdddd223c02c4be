// SPDX-License-Identifier: MIT

// The exports of `import CoreMedia`: its functions, types and constants, and everything that `AudioToolbox` exports, such
// as CoreFoundation and the types of audio formats.

/// The functions that the declarations call.
import AQToolboxFunctions
@_exported public import AudioToolbox
@_exported public import CAQCoreMedia
