/* CoreFoundation under its own name for C programs: the toolchain's umbrella needs clang and -fblocks, this one
 * supports every compiler. Installed before the toolchain's headers. */
#include <CoreAudio/AudioCoreFoundation.h>
