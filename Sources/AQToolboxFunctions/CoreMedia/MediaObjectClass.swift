// SPDX-License-Identifier: MIT

import CAQCoreFoundation
import CoreFoundation

/// A class of objects that `CFRetain` and `CFRelease` accept, each with contents in Swift.
struct MediaObjectClass<Contents: AnyObject>: Sendable {
    /// The number of the class in CoreFoundation; 0 if it has no room for another class.
    let typeID: CFTypeID

    init(_ name: StaticString) {
        // SAFETY: a static string ends with a zero and exists as long as the process.
        let characters = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        typeID = unsafe aq_cf_register_class(characters, releaseContents)
    }

    /// Makes an object, which the caller has to release; nil if there is no memory for it.
    func make(_ contents: Contents) -> UnsafeMutableRawPointer? {
        guard typeID != 0 else { return nil }
        let reference = unsafe Unmanaged.passRetained(contents)
        let object = unsafe aq_cf_create(typeID, reference.toOpaque())
        if unsafe object == nil { unsafe reference.release() }
        return unsafe object
    }

    /// The contents of an object; nil for NULL, and for an object of another class.
    @unsafe
    func contents(of object: UnsafeRawPointer?) -> Contents? {
        guard let object = unsafe object, unsafe aq_cf_type(object) == typeID,
            let contents = unsafe aq_cf_contents(object)
        else { return nil }
        return unsafe Unmanaged<Contents>.fromOpaque(contents).takeUnretainedValue()
    }
}

/// Called by CoreFoundation when the last reference to an object is released.
private func releaseContents(_ object: UnsafeRawPointer?) {
    guard let object = unsafe object, let contents = unsafe aq_cf_contents(object) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(contents).release()
}

/// A reference to an object that a client passed.
struct MediaReference<Contents: AnyObject> {
    private let object: AnyObject
    let contents: Contents

    /// Retains an object; nil for NULL, and for an object of another class.
    @unsafe
    init?(_ object: UnsafeRawPointer?, of objectClass: MediaObjectClass<Contents>) {
        guard let object = unsafe object, let contents = unsafe objectClass.contents(of: object) else {
            return nil
        }
        // SAFETY: on Linux each object of CoreFoundation is an object of Swift.
        self.object = unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        self.contents = contents
    }

    /// Takes over the reference to an object that was just made.
    @unsafe
    init(owned object: UnsafeMutableRawPointer, _ contents: Contents) {
        self.object = unsafe Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
        self.contents = contents
    }

    /// The object without another reference, as functions with Get in their names return it.
    var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(object).toOpaque() }

    /// The object with a reference that the receiver has to release.
    var retainedPointer: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(object).toOpaque() }
}
