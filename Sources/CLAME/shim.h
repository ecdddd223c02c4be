/* SPDX-License-Identifier: MIT */

// `lame.h` uses these without including their headers.
#include <stdarg.h>
#include <stdio.h>

#include <lame/lame.h>
