// `CoreAudio` under its own name, for programs that import it alone or beside `AudioToolbox`. It shows what
// `AudioToolbox` shows: were its part exported from here by another way, names that `AudioToolbox` declares in the
// place of imported ones, such as `CFString`, would be ambiguous for whoever imports both.

@_exported public import AudioToolbox
