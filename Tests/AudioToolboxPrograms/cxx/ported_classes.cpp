/* SPDX-License-Identifier: MIT */

/*
 * ported_classes.cpp
 *
 * The names of ported_names.c in C++.
 *
 *     ported_classes
 */
#include "../c/ported_names.c"
