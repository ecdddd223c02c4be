// `CoreAudio`, for programs that import it alone or beside `AudioToolbox`. It exports exactly the names of
// `AudioToolbox`. If this module exported them separately, names that `AudioToolbox` declares instead of imported
// ones, such as `CFString`, would be ambiguous in a file that imports both.

@_exported public import AudioToolbox
