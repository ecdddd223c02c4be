// SPDX-License-Identifier: MIT

public import CoreFoundation
public import Foundation

// Exported one by one, so that they are preferred to CoreFoundation's in files that import CoreFoundation itself.
@_exported public import typealias AQCoreFoundationNames.CFArray
@_exported public import typealias AQCoreFoundationNames.CFData
@_exported public import typealias AQCoreFoundationNames.CFDictionary
@_exported public import typealias AQCoreFoundationNames.CFString
@_exported public import typealias AQCoreFoundationNames.CFURL

// Declared here too, for `AudioToolbox.CFURL` and `import typealias AudioToolbox.CFURL`. The functions that take such
// objects are declared again with these types.

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

/// A class of Foundation whose objects have the memory layout of a class of CoreFoundation.
protocol BridgedObject: AnyObject {
    associatedtype Bridged: AnyObject
}

extension BridgedObject {
    /// The object with the type that the C functions take.
    var coreFoundation: Bridged {
        // SAFETY: objects of both classes have the same layout.
        unsafe Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }

    /// Makes an object of Foundation of one that a C function returned.
    static func bridged(_ object: Bridged?) -> Self? {
        // SAFETY: as above.
        object.map {
            unsafe Unmanaged.fromOpaque(Unmanaged.passUnretained($0).toOpaque()).takeUnretainedValue()
        }
    }
}

extension NSURL: BridgedObject { typealias Bridged = CoreFoundation.CFURL }
extension NSString: BridgedObject { typealias Bridged = CoreFoundation.CFString }
extension NSDictionary: BridgedObject { typealias Bridged = CoreFoundation.CFDictionary }
extension NSArray: BridgedObject { typealias Bridged = CoreFoundation.CFArray }
extension NSData: BridgedObject { typealias Bridged = CoreFoundation.CFData }

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

/// The encoding of UTF-8, `CFStringBuiltInEncodings.UTF8.rawValue`.
public let kCFStringEncodingUTF8: CFStringEncoding = CFStringBuiltInEncodings.UTF8.rawValue
/// The encoding of ASCII, `CFStringBuiltInEncodings.ASCII.rawValue`.
public let kCFStringEncodingASCII: CFStringEncoding = CFStringBuiltInEncodings.ASCII.rawValue
/// The encoding of Mac OS Roman, `CFStringBuiltInEncodings.macRoman.rawValue`.
public let kCFStringEncodingMacRoman: CFStringEncoding = CFStringBuiltInEncodings.macRoman.rawValue
