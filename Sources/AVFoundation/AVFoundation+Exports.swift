// `AVFoundation` for the many programs that import it for the audio types and functions of C alone, which it shows
// where they come from. Nothing of its own is here: a program that uses its classes does not compile.

@_exported public import AudioToolbox
