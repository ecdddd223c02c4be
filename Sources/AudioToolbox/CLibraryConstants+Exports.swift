// SPDX-License-Identifier: MIT

// The constants of the C library, exported one by one, so that they are preferred to those that CoreFoundation includes
// a second time.

@_exported public import let AQCoreFoundationNames.DBL_EPSILON
@_exported public import let AQCoreFoundationNames.DBL_MANT_DIG
@_exported public import let AQCoreFoundationNames.DBL_MAX
@_exported public import let AQCoreFoundationNames.DBL_MAX_EXP
@_exported public import let AQCoreFoundationNames.DBL_MIN
@_exported public import let AQCoreFoundationNames.DBL_MIN_EXP
@_exported public import let AQCoreFoundationNames.DBL_TRUE_MIN
@_exported public import let AQCoreFoundationNames.FLT_EPSILON
@_exported public import let AQCoreFoundationNames.FLT_MANT_DIG
@_exported public import let AQCoreFoundationNames.FLT_MAX
@_exported public import let AQCoreFoundationNames.FLT_MAX_EXP
@_exported public import let AQCoreFoundationNames.FLT_MIN
@_exported public import let AQCoreFoundationNames.FLT_MIN_EXP
@_exported public import let AQCoreFoundationNames.FLT_RADIX
@_exported public import let AQCoreFoundationNames.FLT_TRUE_MIN
@_exported public import let AQCoreFoundationNames.M_PI
@_exported public import let AQCoreFoundationNames.M_PI_2
@_exported public import let AQCoreFoundationNames.M_PI_4
@_exported public import let AQCoreFoundationNames.M_SQRT1_2
@_exported public import let AQCoreFoundationNames.M_SQRT2

#if arch(x86_64)
@_exported public import let AQCoreFoundationNames.LDBL_EPSILON
@_exported public import let AQCoreFoundationNames.LDBL_MANT_DIG
@_exported public import let AQCoreFoundationNames.LDBL_MAX
@_exported public import let AQCoreFoundationNames.LDBL_MAX_EXP
@_exported public import let AQCoreFoundationNames.LDBL_MIN
@_exported public import let AQCoreFoundationNames.LDBL_MIN_EXP
@_exported public import let AQCoreFoundationNames.LDBL_TRUE_MIN
#endif
