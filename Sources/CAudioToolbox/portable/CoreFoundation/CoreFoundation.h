/* CoreFoundation under its own name for programs in C: the toolchain's umbrella compiles with clang and
 * -fblocks alone, this one with every compiler. Installed ahead of the toolchain's headers. */
#include <CoreAudio/AudioCoreFoundation.h>
