// SPDX-License-Identifier: MIT

public import Foundation

// Programs write `url as CFURL` and `"title" as CFString`. The compiler converts Swift's values to objects of
// CoreFoundation only on Apple's systems. Everywhere it converts them to Foundation's objects, which have the memory
// layout of CoreFoundation's. Therefore the names are aliases of Foundation's classes.
//
// A file that imports CoreFoundation too sees two declarations of each name. The compiler then prefers the one that is
// imported by its name. Therefore the aliases have a module of their own, which is imported nowhere as a whole:
// `AudioToolbox` exports each of them by `@_exported import typealias`.

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
