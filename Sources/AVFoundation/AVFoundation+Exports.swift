// SPDX-License-Identifier: MIT

// `AVFoundation`, for programs that import it only for the audio types and functions of C. It declares nothing itself:
// a program that uses AVFoundation's classes does not compile.

@_exported public import AudioToolbox
@_exported public import CoreMedia
