// The process's arguments, which the C library passes to constructors; the Swift runtime asks for them here.
//
// QUIRK: at the start of every process the runtime's own search for them reads the list of all memory mappings, line
// by line, to find the stack: a twentieth of a tool's time to its first audio. A program that links the runtime
// statically, after these functions, omits that part of the runtime. They are weak: a runtime with other names, or one
// that needs that part for another purpose, uses its own functions, and is only slower by that search.

#ifndef CPROCESSARGUMENTS_H
#define CPROCESSARGUMENTS_H

/// The arguments, the tool's name first, and their number.
char **aq_process_arguments(int *count);

/// The same, under the name that the runtime calls.
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

/// Replaces them, like the runtime's function of this name.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

#endif
