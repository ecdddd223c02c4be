@_exported public import CCoreAudioTypes
