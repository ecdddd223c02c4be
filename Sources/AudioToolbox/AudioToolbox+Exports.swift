// SPDX-License-Identifier: MIT

// The exports of `import AudioToolbox`: the published functions, types and constants, and the modules that
// the framework imports on Apple's systems.
//
// Everything is exported by this one module, and `CoreAudio` and `AudioUnit` export only this module. A
// declaration here, such as `CFURL`, replaces one of the same name in a module exported here, but only while
// no other import makes that module visible.

@_exported public import CAQAudioToolbox
@_exported public import CAQCoreAudio
/// `mach_absolute_time` and `os_unfair_lock`, which are part of the C library on Apple's systems.
@_exported public import CAQPortability
/// `UnsafeMutableAudioBufferListPointer`, and other Swift additions to the shared types.
@_exported public import CoreAudioTypes
/// The run loops, strings and URLs that the functions take.
@_exported public import CoreFoundation
@_exported public import Dispatch
/// `NSString` and `NSURL`, to which Swift's strings and URLs convert, and the C library, because programs rely
/// on these names.
@_exported public import Foundation
