/* SPDX-License-Identifier: MIT */

/* The uses of channels, as labels and as bits. */
#ifndef AUDIO_CHANNEL_LABELS_H
#define AUDIO_CHANNEL_LABELS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

/* The use of a channel. */
typedef UInt32 AudioChannelLabel;

/* Labels 1 to 18 are one more than the bit of the same speaker in a WAVE channel mask. */
AUDIO_CONSTANTS(AudioChannelLabel) {
    kAudioChannelLabel_Unknown = 0xFFFFFFFFU, /* unknown */
    kAudioChannelLabel_Unused = 0, /* unused: the channel is silent */
    kAudioChannelLabel_UseCoordinates = 100, /* at the description's coordinates */
    kAudioChannelLabel_Left = 1, /* L */
    kAudioChannelLabel_Right = 2, /* R */
    kAudioChannelLabel_Center = 3, /* C */
    kAudioChannelLabel_LFEScreen = 4, /* LFE: low-frequency effects */
    kAudioChannelLabel_LeftSurround = 5, /* Ls */
    kAudioChannelLabel_RightSurround = 6, /* Rs */
    kAudioChannelLabel_LeftCenter = 7, /* Lc: between left and centre */
    kAudioChannelLabel_RightCenter = 8, /* Rc: between right and centre */
    kAudioChannelLabel_CenterSurround = 9, /* Cs: behind, in the middle */
    kAudioChannelLabel_LeftSurroundDirect = 10, /* Lsd: left, at the side */
    kAudioChannelLabel_RightSurroundDirect = 11, /* Rsd: right, at the side */
    kAudioChannelLabel_TopCenterSurround = 12, /* Ts: above the listener */
    kAudioChannelLabel_VerticalHeightLeft = 13, /* Vhl: in front, above the left */
    kAudioChannelLabel_VerticalHeightCenter = 14, /* Vhc: in front, above the centre */
    kAudioChannelLabel_VerticalHeightRight = 15, /* Vhr: in front, above the right */
    kAudioChannelLabel_TopBackLeft = 16, /* behind and above, to the left */
    kAudioChannelLabel_TopBackCenter = 17, /* behind and above, in the middle */
    kAudioChannelLabel_TopBackRight = 18, /* behind and above, to the right */
    kAudioChannelLabel_RearSurroundLeft = 33, /* Rls: behind, to the left */
    kAudioChannelLabel_RearSurroundRight = 34, /* Rrs: behind, to the right */
    kAudioChannelLabel_LeftWide = 35, /* Lw: beyond the left */
    kAudioChannelLabel_RightWide = 36, /* Rw: beyond the right */
    kAudioChannelLabel_LFE2 = 37, /* LFE2: a second LFE channel */
    kAudioChannelLabel_LeftTotal = 38, /* Lt: left, with surround in it by a matrix */
    kAudioChannelLabel_RightTotal = 39, /* Rt: right, with surround in it by a matrix */
    kAudioChannelLabel_HearingImpaired = 40, /* HI: for the hearing impaired */
    kAudioChannelLabel_Narration = 41, /* VI: audio description for the visually impaired */
    kAudioChannelLabel_Mono = 42, /* the only channel */
    kAudioChannelLabel_DialogCentricMix = 43, /* a mix of all channels, with prominent speech */
    kAudioChannelLabel_CenterSurroundDirect = 44, /* Csd: behind, at the height of the ears */
    kAudioChannelLabel_Haptic = 45, /* haptic */
    kAudioChannelLabel_LeftTopFront = 13, /* the same as VerticalHeightLeft */
    kAudioChannelLabel_CenterTopFront = 14, /* the same as VerticalHeightCenter */
    kAudioChannelLabel_RightTopFront = 15, /* the same as VerticalHeightRight */
    kAudioChannelLabel_LeftTopMiddle = 49, /* Ltm: above, to the left */
    kAudioChannelLabel_CenterTopMiddle = 12, /* the same as TopCenterSurround */
    kAudioChannelLabel_RightTopMiddle = 51, /* Rtm: above, to the right */
    kAudioChannelLabel_LeftTopRear = 52, /* Ltr: behind and above, to the left */
    kAudioChannelLabel_CenterTopRear = 53, /* Ctr: behind and above, in the middle */
    kAudioChannelLabel_RightTopRear = 54, /* Rtr: behind and above, to the right */
    kAudioChannelLabel_LeftSideSurround = 55, /* Lss */
    kAudioChannelLabel_RightSideSurround = 56, /* Rss */
    kAudioChannelLabel_LeftBottom = 57, /* in front, below the left */
    kAudioChannelLabel_RightBottom = 58, /* in front, below the right */
    kAudioChannelLabel_CenterBottom = 59, /* in front, below the centre */
    kAudioChannelLabel_LeftTopSurround = 60, /* Lts: above the left surround */
    kAudioChannelLabel_RightTopSurround = 61, /* Rts: above the right surround */
    kAudioChannelLabel_LFE3 = 62, /* LFE3: a third LFE channel */
    kAudioChannelLabel_LeftBackSurround = 63, /* Lbs */
    kAudioChannelLabel_RightBackSurround = 64, /* Rbs */
    kAudioChannelLabel_LeftEdgeOfScreen = 65, /* Leos */
    kAudioChannelLabel_RightEdgeOfScreen = 66, /* Reos */

    /* Ambisonics, and stereo recording techniques. */
    kAudioChannelLabel_Ambisonic_W = 200, /* W: the omnidirectional component */
    kAudioChannelLabel_Ambisonic_X = 201, /* X: front minus back */
    kAudioChannelLabel_Ambisonic_Y = 202, /* Y: left minus right */
    kAudioChannelLabel_Ambisonic_Z = 203, /* Z: above minus below */
    kAudioChannelLabel_MS_Mid = 204, /* M: left plus right */
    kAudioChannelLabel_MS_Side = 205, /* S: left minus right */
    kAudioChannelLabel_XY_X = 206, /* X: the first of two crossed microphones */
    kAudioChannelLabel_XY_Y = 207, /* Y: the second of two crossed microphones */
    kAudioChannelLabel_BinauralLeft = 208, /* at the left ear */
    kAudioChannelLabel_BinauralRight = 209, /* at the right ear */
    kAudioChannelLabel_HeadphonesLeft = 301, /* for the left ear */
    kAudioChannelLabel_HeadphonesRight = 302, /* for the right ear */
    kAudioChannelLabel_ClickTrack = 304, /* a click track */
    kAudioChannelLabel_ForeignLanguage = 305, /* speech in another language */

    /* Channels identified only by number. */
    kAudioChannelLabel_Discrete = 400, /* a channel without a position */
    kAudioChannelLabel_Discrete_0 = (1U << 16) | 0, /* number 0 */
    kAudioChannelLabel_Discrete_1 = (1U << 16) | 1, /* number 1 */
    kAudioChannelLabel_Discrete_2 = (1U << 16) | 2, /* number 2 */
    kAudioChannelLabel_Discrete_3 = (1U << 16) | 3, /* number 3 */
    kAudioChannelLabel_Discrete_4 = (1U << 16) | 4, /* number 4 */
    kAudioChannelLabel_Discrete_5 = (1U << 16) | 5, /* number 5 */
    kAudioChannelLabel_Discrete_6 = (1U << 16) | 6, /* number 6 */
    kAudioChannelLabel_Discrete_7 = (1U << 16) | 7, /* number 7 */
    kAudioChannelLabel_Discrete_8 = (1U << 16) | 8, /* number 8 */
    kAudioChannelLabel_Discrete_9 = (1U << 16) | 9, /* number 9 */
    kAudioChannelLabel_Discrete_10 = (1U << 16) | 10, /* number 10 */
    kAudioChannelLabel_Discrete_11 = (1U << 16) | 11, /* number 11 */
    kAudioChannelLabel_Discrete_12 = (1U << 16) | 12, /* number 12 */
    kAudioChannelLabel_Discrete_13 = (1U << 16) | 13, /* number 13 */
    kAudioChannelLabel_Discrete_14 = (1U << 16) | 14, /* number 14 */
    kAudioChannelLabel_Discrete_15 = (1U << 16) | 15, /* number 15 */
    kAudioChannelLabel_Discrete_65535 = (1U << 16) | 65535, /* number 65535 */

    /* Higher-order ambisonics. SN3D and N3D are combined with the channel's number. */
    kAudioChannelLabel_HOA_ACN = 500, /* a channel of ambisonics, by its number */
    kAudioChannelLabel_HOA_ACN_0 = (2U << 16) | 0, /* number 0 */
    kAudioChannelLabel_HOA_ACN_1 = (2U << 16) | 1, /* number 1 */
    kAudioChannelLabel_HOA_ACN_2 = (2U << 16) | 2, /* number 2 */
    kAudioChannelLabel_HOA_ACN_3 = (2U << 16) | 3, /* number 3 */
    kAudioChannelLabel_HOA_ACN_4 = (2U << 16) | 4, /* number 4 */
    kAudioChannelLabel_HOA_ACN_5 = (2U << 16) | 5, /* number 5 */
    kAudioChannelLabel_HOA_ACN_6 = (2U << 16) | 6, /* number 6 */
    kAudioChannelLabel_HOA_ACN_7 = (2U << 16) | 7, /* number 7 */
    kAudioChannelLabel_HOA_ACN_8 = (2U << 16) | 8, /* number 8 */
    kAudioChannelLabel_HOA_ACN_9 = (2U << 16) | 9, /* number 9 */
    kAudioChannelLabel_HOA_ACN_10 = (2U << 16) | 10, /* number 10 */
    kAudioChannelLabel_HOA_ACN_11 = (2U << 16) | 11, /* number 11 */
    kAudioChannelLabel_HOA_ACN_12 = (2U << 16) | 12, /* number 12 */
    kAudioChannelLabel_HOA_ACN_13 = (2U << 16) | 13, /* number 13 */
    kAudioChannelLabel_HOA_ACN_14 = (2U << 16) | 14, /* number 14 */
    kAudioChannelLabel_HOA_ACN_15 = (2U << 16) | 15, /* number 15 */
    kAudioChannelLabel_HOA_ACN_65024 = (2U << 16) | 65024, /* number 65024 */
    kAudioChannelLabel_HOA_SN3D = 2U << 16, /* Schmidt's semi-normalisation */
    kAudioChannelLabel_HOA_N3D = 3U << 16, /* full normalisation */

    kAudioChannelLabel_BeginReserved = 0xF0000000U, /* the first value for other uses */
    kAudioChannelLabel_EndReserved = 0xFFFFFFFEU /* the last value for other uses */
};

/* The speakers, a bit for each, as in a WAVE channel mask. */
AUDIO_OPTIONS(UInt32, AudioChannelBitmap) {
    kAudioChannelBit_Left = 1U << 0, /* L */
    kAudioChannelBit_Right = 1U << 1, /* R */
    kAudioChannelBit_Center = 1U << 2, /* C */
    kAudioChannelBit_LFEScreen = 1U << 3, /* LFE: low-frequency effects */
    kAudioChannelBit_LeftSurround = 1U << 4, /* Ls */
    kAudioChannelBit_RightSurround = 1U << 5, /* Rs */
    kAudioChannelBit_LeftCenter = 1U << 6, /* Lc: between left and centre */
    kAudioChannelBit_RightCenter = 1U << 7, /* Rc: between right and centre */
    kAudioChannelBit_CenterSurround = 1U << 8, /* Cs: behind, in the middle */
    kAudioChannelBit_LeftSurroundDirect = 1U << 9, /* Lsd: left, at the side */
    kAudioChannelBit_RightSurroundDirect = 1U << 10, /* Rsd: right, at the side */
    kAudioChannelBit_TopCenterSurround = 1U << 11, /* Ts: above the listener */
    kAudioChannelBit_VerticalHeightLeft = 1U << 12, /* Vhl: in front, above the left */
    kAudioChannelBit_VerticalHeightCenter = 1U << 13, /* Vhc: in front, above the centre */
    kAudioChannelBit_VerticalHeightRight = 1U << 14, /* Vhr: in front, above the right */
    kAudioChannelBit_TopBackLeft = 1U << 15, /* behind and above, to the left */
    kAudioChannelBit_TopBackCenter = 1U << 16, /* behind and above, in the middle */
    kAudioChannelBit_TopBackRight = 1U << 17, /* behind and above, to the right */
    kAudioChannelBit_LeftTopFront = 1U << 12, /* the same as VerticalHeightLeft */
    kAudioChannelBit_CenterTopFront = 1U << 13, /* the same as VerticalHeightCenter */
    kAudioChannelBit_RightTopFront = 1U << 14, /* the same as VerticalHeightRight */
    kAudioChannelBit_LeftTopMiddle = 1U << 21, /* Ltm: above, to the left */
    kAudioChannelBit_CenterTopMiddle = 1U << 11, /* the same as TopCenterSurround */
    kAudioChannelBit_RightTopMiddle = 1U << 23, /* Rtm: above, to the right */
    kAudioChannelBit_LeftTopRear = 1U << 24, /* Ltr: behind and above, to the left */
    kAudioChannelBit_CenterTopRear = 1U << 25, /* Ctr: behind and above, in the middle */
    kAudioChannelBit_RightTopRear = 1U << 26 /* Rtr: behind and above, to the right */
};

#endif
