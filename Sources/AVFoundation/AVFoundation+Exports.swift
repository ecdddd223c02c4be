// SPDX-License-Identifier: MIT

// The exports of `import AVFoundation`: the classes of AVFAudio, the types and functions of AudioToolbox, and the times
// and sample buffers of CoreMedia. The folders Capture, Sound and Assets have what this module declares itself.

@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreMedia
