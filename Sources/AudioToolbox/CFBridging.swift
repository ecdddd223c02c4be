// SPDX-License-Identifier: MIT

public import CoreFoundation
public import Foundation

// Programs write `url as CFURL` and `"title" as CFString`. The compiler converts Swift's values to objects of
// CoreFoundation only on Apple's systems. Everywhere it converts them to Foundation's objects, which have the
// memory layout of CoreFoundation's. Therefore the names are aliases of Foundation's classes in this module,
// and the functions that take such objects are declared again with the aliases.
//
// In a file that imports CoreFoundation itself the names are ambiguous; `import typealias AudioToolbox.CFURL`
// selects one.

/// `NSURL` under the name that programs use: `url as CFURL`.
public typealias CFURL = NSURL
/// `NSString` under the name that programs use: `"title" as CFString`.
public typealias CFString = NSString
/// `NSDictionary`, the type of a file's information: `dictionary as? [String: Any]`.
public typealias CFDictionary = NSDictionary
/// `NSData`, the type of a picture: `picture as Data`.
public typealias CFData = NSData
/// `NSArray`, the type of a converter's settings.
public typealias CFArray = NSArray

extension NSURL {
    /// The URL with the type that the C functions take.
    var coreFoundation: CoreFoundation.CFURL {
        // SAFETY: Foundation's URLs have the memory layout of CoreFoundation's.
        unsafe unsafeBitCast(self, to: CoreFoundation.CFURL.self)
    }
}

extension NSString {
    /// The string with the type that the C functions take.
    var coreFoundation: CoreFoundation.CFString {
        // SAFETY: as for URLs.
        unsafe unsafeBitCast(self, to: CoreFoundation.CFString.self)
    }
}

// COMPAT: on Apple's systems the mode of a run loop is a type of its own, with these members. Here the type
// is CoreFoundation's string, to which this extension adds the members.
extension CFRunLoopMode {
    /// The common modes of a run loop: `kCFRunLoopCommonModes`.
    public static var commonModes: CFRunLoopMode { kCFRunLoopCommonModes }
    /// The default mode of a run loop: `kCFRunLoopDefaultMode`.
    public static var defaultMode: CFRunLoopMode { kCFRunLoopDefaultMode }
    /// The mode's name, for functions that take a string.
    public var rawValue: CoreFoundation.CFString { self }
}
