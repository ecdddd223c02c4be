// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Both the C library's module and CoreFoundation, which includes the C library's headers, declare these constants, so
// that they would be ambiguous in a program that imports both. `AudioToolbox` exports each by its name, which makes the
// compiler prefer these declarations.

/// π.
public let M_PI = Double.pi
/// π / 2.
public let M_PI_2 = Double.pi / 2
/// π / 4.
public let M_PI_4 = Double.pi / 4
/// The square root of 2.
public let M_SQRT2 = 2.0.squareRoot()
/// The square root of 1/2.
public let M_SQRT1_2 = 0.5.squareRoot()

/// The base of the exponents of floating-point numbers.
public let FLT_RADIX: Int32 = 2

/// The bits of the significand of a `Float`.
public let FLT_MANT_DIG: Int32 = 24
/// The largest exponent of a `Float`, plus 1.
public let FLT_MAX_EXP: Int32 = 128
/// The smallest exponent of a `Float` in normal form, plus 1.
public let FLT_MIN_EXP: Int32 = -125
/// The largest value of a `Float`.
public let FLT_MAX = Float.greatestFiniteMagnitude
/// The distance from 1 to the next value of a `Float`.
public let FLT_EPSILON = Float.ulpOfOne
/// The smallest positive value of a `Float` in normal form.
public let FLT_MIN = Float.leastNormalMagnitude
/// The smallest positive value of a `Float`.
public let FLT_TRUE_MIN = Float.leastNonzeroMagnitude

/// The bits of the significand of a `Double`.
public let DBL_MANT_DIG: Int32 = 53
/// The largest exponent of a `Double`, plus 1.
public let DBL_MAX_EXP: Int32 = 1024
/// The smallest exponent of a `Double` in normal form, plus 1.
public let DBL_MIN_EXP: Int32 = -1021
/// The largest value of a `Double`.
public let DBL_MAX = Double.greatestFiniteMagnitude
/// The distance from 1 to the next value of a `Double`.
public let DBL_EPSILON = Double.ulpOfOne
/// The smallest positive value of a `Double` in normal form.
public let DBL_MIN = Double.leastNormalMagnitude
/// The smallest positive value of a `Double`.
public let DBL_TRUE_MIN = Double.leastNonzeroMagnitude

#if arch(x86_64)
/// The bits of the significand of a `long double` of C.
public let LDBL_MANT_DIG: Int32 = 64
/// The largest exponent of a `long double` of C, plus 1.
public let LDBL_MAX_EXP: Int32 = 16384
/// The smallest exponent of a `long double` of C in normal form, plus 1.
public let LDBL_MIN_EXP: Int32 = -16381
/// The largest value of a `long double` of C.
public let LDBL_MAX = Float80.greatestFiniteMagnitude
/// The distance from 1 to the next value of a `long double` of C.
public let LDBL_EPSILON = Float80.ulpOfOne
/// The smallest positive value of a `long double` of C in normal form.
public let LDBL_MIN = Float80.leastNormalMagnitude
/// The smallest positive value of a `long double` of C.
public let LDBL_TRUE_MIN = Float80.leastNonzeroMagnitude
#endif
