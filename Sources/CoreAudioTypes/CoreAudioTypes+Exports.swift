/// The C structs and constants come with this module: `import CoreAudioTypes` shows them.
@_exported public import CCoreAudioTypes
