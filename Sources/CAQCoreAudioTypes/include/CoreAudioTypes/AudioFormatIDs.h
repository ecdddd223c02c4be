/* SPDX-License-Identifier: MIT */

/* The identifiers of encodings. */
#ifndef AUDIO_FORMAT_IDS_H
#define AUDIO_FORMAT_IDS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

/* The encoding of a stream. */
typedef UInt32 AudioFormatID;

AUDIO_DECLARATIONS_BEGIN
AUDIO_CONSTANTS(AudioFormatID) {
    kAudioFormatLinearPCM = 'lpcm',            /* uncompressed samples, described by the flags */
    kAudioFormatAC3 = 'ac-3',                  /* AC-3 */
    kAudioFormat60958AC3 = 'cac3',             /* AC-3 in IEC 60958 frames */
    kAudioFormatAppleIMA4 = 'ima4',            /* IMA 4:1 */
    kAudioFormatMPEG4AAC = 'aac ',             /* AAC-LC */
    kAudioFormatMPEG4CELP = 'celp',            /* MPEG-4 CELP */
    kAudioFormatMPEG4HVXC = 'hvxc',            /* MPEG-4 HVXC */
    kAudioFormatMPEG4TwinVQ = 'twvq',          /* MPEG-4 TwinVQ */
    kAudioFormatMACE3 = 'MAC3',                /* MACE 3:1 */
    kAudioFormatMACE6 = 'MAC6',                /* MACE 6:1 */
    kAudioFormatULaw = 'ulaw',                 /* µ-law of G.711 */
    kAudioFormatALaw = 'alaw',                 /* A-law of G.711 */
    kAudioFormatQDesign = 'QDMC',              /* QDesign Music */
    kAudioFormatQDesign2 = 'QDM2',             /* QDesign Music 2 */
    kAudioFormatQUALCOMM = 'Qclp',             /* PureVoice */
    kAudioFormatMPEGLayer1 = '.mp1',           /* MPEG layer I */
    kAudioFormatMPEGLayer2 = '.mp2',           /* MPEG layer II */
    kAudioFormatMPEGLayer3 = '.mp3',           /* MPEG layer III */
    kAudioFormatTimeCode = 'time',             /* time codes */
    kAudioFormatMIDIStream = 'midi',           /* MIDI messages */
    kAudioFormatParameterValueStream = 'apvs', /* values of parameters */
    kAudioFormatAppleLossless = 'alac',        /* ALAC; flags state the source's bit depth */
    kAudioFormatMPEG4AAC_HE = 'aach',          /* AAC with band replication */
    kAudioFormatMPEG4AAC_LD = 'aacl',          /* AAC-LD */
    kAudioFormatMPEG4AAC_ELD = 'aace',         /* AAC-ELD */
    kAudioFormatMPEG4AAC_ELD_SBR = 'aacf',     /* AAC-ELD with band replication */
    kAudioFormatMPEG4AAC_ELD_V2 = 'aacg',      /* AAC-ELD with parametric stereo */
    kAudioFormatMPEG4AAC_HE_V2 = 'aacp',       /* AAC with band replication and parametric stereo */
    kAudioFormatMPEG4AAC_Spatial = 'aacs',     /* MPEG Surround */
    kAudioFormatMPEGD_USAC = 'usac',           /* unified speech and audio */
    kAudioFormatAMR = 'samr',                  /* AMR narrowband */
    kAudioFormatAMR_WB = 'sawb',               /* AMR wideband */
    kAudioFormatAudible = 'AUDB',              /* Audible */
    kAudioFormatiLBC = 'ilbc',                 /* iLBC */
    kAudioFormatDVIIntelIMA = 0x6D730011,      /* IMA ADPCM of WAVE files: 'ms' and the format tag */
    kAudioFormatMicrosoftGSM = 0x6D730031,     /* GSM of WAVE files: 'ms' and the format tag */
    kAudioFormatAES3 = 'aes3',                 /* AES3 frames */
    kAudioFormatEnhancedAC3 = 'ec-3',          /* Enhanced AC-3 */
    kAudioFormatFLAC = 'flac',                 /* FLAC; flags state the source's bit depth */
    kAudioFormatOpus = 'opus',                 /* Opus */
    kAudioFormatAPAC = 'apac'                  /* Apple Positional Audio */
};
AUDIO_DECLARATIONS_END

#endif
