// SPDX-License-Identifier: MIT

// The exports of `import AVFAudio`: programs rely on the types and constants of formats, and on Foundation.

@_exported public import AudioToolbox
@_exported public import CoreMedia
