// SPDX-License-Identifier: MIT

// The constants of the C library, exported one by one, so that they are preferred to those that CoreFoundation includes
// a second time.

@_exported public import let CoreFoundationNames.DBL_EPSILON
@_exported public import let CoreFoundationNames.DBL_MANT_DIG
@_exported public import let CoreFoundationNames.DBL_MAX
@_exported public import let CoreFoundationNames.DBL_MAX_EXP
@_exported public import let CoreFoundationNames.DBL_MIN
@_exported public import let CoreFoundationNames.DBL_MIN_EXP
@_exported public import let CoreFoundationNames.DBL_TRUE_MIN
@_exported public import let CoreFoundationNames.FLT_EPSILON
@_exported public import let CoreFoundationNames.FLT_MANT_DIG
@_exported public import let CoreFoundationNames.FLT_MAX
@_exported public import let CoreFoundationNames.FLT_MAX_EXP
@_exported public import let CoreFoundationNames.FLT_MIN
@_exported public import let CoreFoundationNames.FLT_MIN_EXP
@_exported public import let CoreFoundationNames.FLT_RADIX
@_exported public import let CoreFoundationNames.FLT_TRUE_MIN
@_exported public import let CoreFoundationNames.M_PI
@_exported public import let CoreFoundationNames.M_PI_2
@_exported public import let CoreFoundationNames.M_PI_4
@_exported public import let CoreFoundationNames.M_SQRT1_2
@_exported public import let CoreFoundationNames.M_SQRT2

#if arch(x86_64)
@_exported public import let CoreFoundationNames.LDBL_EPSILON
@_exported public import let CoreFoundationNames.LDBL_MANT_DIG
@_exported public import let CoreFoundationNames.LDBL_MAX
@_exported public import let CoreFoundationNames.LDBL_MAX_EXP
@_exported public import let CoreFoundationNames.LDBL_MIN
@_exported public import let CoreFoundationNames.LDBL_MIN_EXP
@_exported public import let CoreFoundationNames.LDBL_TRUE_MIN
#endif
