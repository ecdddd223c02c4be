// SPDX-License-Identifier: MIT

// The functions of the C library for memory, for optional pointers such as `mData` of a buffer: glibc declares the
// parameters as non-null, Apple's C library does not. The attribute prefers the C library's declarations for pointers
// that are not optional.

/// Copies bytes between areas that do not overlap. A null pointer ends the program, unless there are no bytes.
@_disfavoredOverload @discardableResult
public func memcpy(
    _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer! {
    unsafe memmove(destination, source, byteCount)
}

/// Copies bytes between areas that may overlap. A null pointer ends the program, unless there are no bytes.
@_disfavoredOverload @discardableResult
public func memmove(
    _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer! {
    if let target = unsafe destination, let source = unsafe source {
        unsafe target.copyMemory(from: source, byteCount: byteCount)
    } else {
        precondition(byteCount == 0, "bytes are copied from or to a null pointer")
    }
    return unsafe destination
}

/// Sets bytes to a value. A null pointer ends the program, unless there are no bytes.
@_disfavoredOverload @discardableResult
public func memset(
    _ destination: UnsafeMutableRawPointer?, _ value: Int32, _ byteCount: Int
) -> UnsafeMutableRawPointer! {
    if let target = unsafe destination {
        unsafe target.initializeMemory(
            as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: byteCount)
    } else {
        precondition(byteCount == 0, "bytes of a null pointer are set")
    }
    return unsafe destination
}

/// Sets bytes to zero. A null pointer ends the program, unless there are no bytes.
@_disfavoredOverload
public func bzero(_ destination: UnsafeMutableRawPointer?, _ byteCount: Int) {
    unsafe memset(destination, 0, byteCount)
}

/// Compares bytes. A null pointer ends the program, unless there are no bytes.
@_disfavoredOverload
public func memcmp(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?, _ byteCount: Int) -> Int32 {
    guard let left = unsafe left, let right = unsafe right else {
        precondition(byteCount == 0, "bytes of a null pointer are compared")
        return 0
    }
    for offset in 0..<byteCount {
        let difference =
            unsafe Int32(left.load(fromByteOffset: offset, as: UInt8.self))
            - Int32(right.load(fromByteOffset: offset, as: UInt8.self))
        if difference != 0 { return difference }
    }
    return 0
}
