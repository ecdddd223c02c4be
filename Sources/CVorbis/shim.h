/* SPDX-License-Identifier: MIT */

#include <vorbis/vorbisenc.h>
