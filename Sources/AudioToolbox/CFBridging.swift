public import CoreFoundation
public import Foundation

// Programs write `url as CFURL` and `"title" as CFString`. The compiler converts Swift's values to objects of
// CoreFoundation on Apple's systems alone; everywhere it converts them to Foundation's objects, which have the memory
// layout of CoreFoundation's, so that either may be taken for the other. So the names mean Foundation's classes for
// whoever imports this module, and the functions that take such objects are declared once more with them.
//
// A file that imports CoreFoundation itself sees both meanings, and says which by
// `import typealias AudioToolbox.CFURL`.

/// `NSURL` by the name that programs know it by: `url as CFURL`.
public typealias CFURL = NSURL
/// `NSString` by the name that programs know it by: `"title" as CFString`.
public typealias CFString = NSString
/// `NSDictionary`, as which the information on a file comes: `dictionary as? [String: Any]`.
public typealias CFDictionary = NSDictionary
/// `NSData`, as which a picture comes: `picture as Data`.
public typealias CFData = NSData
/// `NSArray`, as which the settings of a converter come.
public typealias CFArray = NSArray

extension NSURL {
    /// The object as the functions of C take it.
    var coreFoundation: CoreFoundation.CFURL {
        // SAFETY: Foundation keeps its URLs as CoreFoundation lays them out, so that each may stand for the other.
        unsafe unsafeBitCast(self, to: CoreFoundation.CFURL.self)
    }
}

extension NSString {
    /// The object as the functions of C take it.
    var coreFoundation: CoreFoundation.CFString {
        // SAFETY: as for URLs.
        unsafe unsafeBitCast(self, to: CoreFoundation.CFString.self)
    }
}

// COMPAT: where the programs come from the mode of a run loop is a type of its own, with these members. Here it is
// CoreFoundation's string, to which they are added.
extension CFRunLoopMode {
    /// All modes that the run loop counts among the common ones: `kCFRunLoopCommonModes`.
    public static var commonModes: CFRunLoopMode { kCFRunLoopCommonModes }
    /// The mode of a run loop that waits for nothing in particular: `kCFRunLoopDefaultMode`.
    public static var defaultMode: CFRunLoopMode { kCFRunLoopDefaultMode }
    /// The mode's name, as functions take it that take a string.
    public var rawValue: CoreFoundation.CFString { self }
}
