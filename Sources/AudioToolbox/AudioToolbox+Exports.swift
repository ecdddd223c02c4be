// What a program sees by `import AudioToolbox`: the published functions, types and constants, and the modules that
// came with them where the programs come from.
//
// All of it goes through this one module, and the modules `CoreAudio` and `AVFoundation` export no more than this
// one. A declaration here takes the place of one of the same name in a module exported here, as `CFURL` does, only
// as long as nobody sees that module by another way.

@_exported public import CAudioToolbox
@_exported public import CCoreAudio
/// `mach_absolute_time` and `os_unfair_lock`, which come with the C library where the programs come from.
@_exported public import CPortability
/// `UnsafeMutableAudioBufferListPointer`, and what else the Swift side adds to the shared types.
@_exported public import CoreAudioTypes
/// Run loops, strings and URLs as the functions take them.
@_exported public import CoreFoundation
@_exported public import Dispatch
/// `NSString` and `NSURL`, which Swift's strings and URLs convert to, and the C library, which programs count on.
@_exported public import Foundation
