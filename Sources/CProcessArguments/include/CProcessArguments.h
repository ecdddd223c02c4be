// The process's arguments, which the C library passes to constructors; the Swift runtime asks for them here.
//
// QUIRK: at the start of every process the runtime's own answer reads the list of all that is mapped into it,
// line by line, to find its stack: a twentieth of a tool's way to its first sound. A program that links the
// runtime statically, and these functions before it, leaves that part of the runtime out. Should the runtime
// ask by other names one day, it answers itself again, and nothing else changes.

#ifndef CPROCESSARGUMENTS_H
#define CPROCESSARGUMENTS_H

/// The arguments, the tool's name first, and how many they are.
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

/// Replaces them, as the runtime does for a program that says so.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

#endif
