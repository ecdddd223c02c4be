/// The C structs and constants are part of this module's interface.
@_exported public import CCoreAudioTypes
