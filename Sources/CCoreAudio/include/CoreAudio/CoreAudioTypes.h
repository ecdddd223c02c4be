/* The shared types under the name that they had before they became a framework of their own. */
#include <CoreAudioTypes/CoreAudioTypes.h>
