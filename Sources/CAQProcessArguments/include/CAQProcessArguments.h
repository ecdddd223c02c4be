/* SPDX-License-Identifier: MIT */

// The process's arguments. The C library passes them to constructors, and the Swift runtime gets them from here.
//
// QUIRK: at the start of every process, the runtime's own functions search for the arguments in the stack. They find
// the stack in the list of all memory mappings, which delays the first audio of a tool. A program that links the
// runtime statically, after the functions below, omits that part of the runtime. The functions are weak: a runtime
// that uses other names, or needs that part for another purpose, uses its own functions, and only starts more slowly.

#ifndef CAQPROCESSARGUMENTS_H
#define CAQPROCESSARGUMENTS_H

/// Returns the arguments, the program's name first, and their number.
char **aq_process_arguments(int *count);

/// Returns the same, under the name that the runtime calls.
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

/// Replaces the arguments, like the runtime's function of this name.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

#endif
