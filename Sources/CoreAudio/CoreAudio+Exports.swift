// `CoreAudio`, for programs that import it alone or beside `AudioToolbox`. It exports exactly what
// `AudioToolbox` does: if its part were exported from here in another way, names that `AudioToolbox` declares
// in place of imported ones, such as `CFString`, would be ambiguous in a file that imports both.

@_exported public import AudioToolbox
