// The process's arguments, which the C library passes to constructors; the Swift runtime asks for them here.
//
// QUIRK: at the start of every process the runtime's own search for them reads the list of all that is mapped
// into it, line by line, to find its stack: a twentieth of a tool's way to its first sound. A program that links the
// runtime statically, and these functions before it, leaves that part of the runtime out. They are weak: a runtime
// that asks by other names, or needs that part for something else, has it linked and its own functions called, and
// is slower by that search and nothing else.

#ifndef CPROCESSARGUMENTS_H
#define CPROCESSARGUMENTS_H

/// The arguments, the tool's name first, and how many they are.
char **aq_process_arguments(int *count);

/// The same, as the runtime asks for them.
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

/// Replaces them, as the runtime does for a program that says so.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

#endif
