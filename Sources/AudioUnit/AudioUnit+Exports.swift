// SPDX-License-Identifier: MIT

// `AudioUnit`, for programs that import it alone or beside `AudioToolbox`. It exports exactly the names of
// `AudioToolbox`, as `CoreAudio` does.

@_exported public import AudioToolbox
