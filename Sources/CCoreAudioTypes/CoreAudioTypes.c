#include "CoreAudioTypes/CoreAudioBaseTypes.h"
