// SPDX-License-Identifier: MIT

// `CoreAudio`, for programs that import it alone or beside `AudioToolbox`. It exports exactly the names of
// `AudioToolbox`. A different export would make names that `AudioToolbox` redeclares, such as `CFString`, ambiguous in
// a file that imports both.

@_exported public import AudioToolbox
