/* The shared types under the name of their header before they became a framework. */
#include <CoreAudioTypes/CoreAudioTypes.h>
