/* SPDX-License-Identifier: MIT */

/* Audio Converter Services: conversion between audio formats, with a procedure that provides the input. */
#ifndef AUDIO_CONVERTER_H
#define AUDIO_CONVERTER_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A converter. */
typedef struct OpaqueAudioConverter *AudioConverterRef;
/* A property of a converter. */
typedef UInt32 AudioConverterPropertyID;

/* The options for creating a converter. */
AUDIO_OPTIONS(UInt32, AudioConverterOptions) {
    kAudioConverterOption_Unbuffered = 1U << 16 /* keeps nothing between calls */
};

/* The numbers of frames that a converter needs before and after the converted ones. */
typedef struct AudioConverterPrimeInfo {
    UInt32 leadingFrames;  /* frames before the first */
    UInt32 trailingFrames; /* frames after the last */
} AudioConverterPrimeInfo;

/* Properties. */
AUDIO_CONSTANTS(AudioConverterPropertyID) {
    kAudioConverterPropertyMinimumInputBufferSize = 'mibs',    /* UInt32: bytes */
    kAudioConverterPropertyMinimumOutputBufferSize = 'mobs',   /* UInt32: bytes */
    kAudioConverterPropertyMaximumInputBufferSize = 'xibs',    /* UInt32: bytes; obsolete */
    kAudioConverterPropertyMaximumInputPacketSize = 'xips',    /* UInt32: bytes */
    kAudioConverterPropertyMaximumOutputPacketSize = 'xops',   /* UInt32: bytes */
    kAudioConverterPropertyCalculateInputBufferSize = 'cibs',  /* UInt32: bytes out to bytes in */
    kAudioConverterPropertyCalculateOutputBufferSize = 'cobs', /* UInt32: bytes in to bytes out */
    kAudioConverterPropertyInputCodecParameters = 'icdp',      /* parameters that the decoder defines */
    kAudioConverterPropertyOutputCodecParameters = 'ocdp',     /* parameters that the encoder defines */
    kAudioConverterSampleRateConverterAlgorithm = 'srci',      /* OSType; the older property */
    kAudioConverterSampleRateConverterComplexity = 'srca',     /* OSType: ...Complexity_... */
    kAudioConverterSampleRateConverterQuality = 'srcq',        /* UInt32: 0 to 127 */
    kAudioConverterSampleRateConverterInitialPhase = 'srcp',   /* Float64: 0, if the rates differ */
    kAudioConverterCodecQuality = 'cdqu',                      /* UInt32: 0 to 127 */
    kAudioConverterPrimeMethod = 'prmm',                       /* UInt32: kConverterPrimeMethod_... */
    kAudioConverterPrimeInfo = 'prim',                         /* AudioConverterPrimeInfo */
    kAudioConverterChannelMap = 'chmp',                        /* SInt32 for each output; -1: silent */
    kAudioConverterDecompressionMagicCookie = 'dmgc',          /* bytes; set only */
    kAudioConverterCompressionMagicCookie = 'cmgc',            /* bytes */
    kAudioConverterEncodeBitRate = 'brat',                     /* UInt32: bits a second */
    kAudioConverterEncodeAdjustableSampleRate = 'ajsr',        /* Float64 */
    kAudioConverterInputChannelLayout = 'icl ',                /* AudioChannelLayout */
    kAudioConverterOutputChannelLayout = 'ocl ',               /* AudioChannelLayout */
    kAudioConverterApplicableEncodeBitRates = 'aebr',          /* AudioValueRange[], for the settings */
    kAudioConverterAvailableEncodeBitRates = 'vebr',           /* AudioValueRange[] */
    kAudioConverterApplicableEncodeSampleRates = 'aesr',       /* AudioValueRange[], for the settings */
    kAudioConverterAvailableEncodeSampleRates = 'vesr',        /* AudioValueRange[] */
    kAudioConverterAvailableEncodeChannelLayoutTags = 'aecl',  /* AudioChannelLayoutTag[] */
    kAudioConverterCurrentOutputStreamDescription = 'acod',    /* AudioStreamBasicDescription */
    kAudioConverterCurrentInputStreamDescription = 'acid',     /* AudioStreamBasicDescription */
    kAudioConverterPropertySettings = 'acps',                  /* CFArrayRef */
    kAudioConverterPropertyBitDepthHint = 'acbd',              /* SInt32; negative for floating point */
    kAudioConverterPropertyFormatList = 'flst',                /* AudioFormatListItem[], of one item */
    kAudioConverterPropertyPerformDownmix = 'dmix',            /* UInt32 */
    kAudioConverterPropertyChannelMixMap = 'mmap',             /* Float32: gains, a row for each input */
    kAudioConverterPropertyDithering = 'dith',                 /* UInt32: kDitherAlgorithm_..., or 0 */
    kAudioConverterPropertyDitherBitDepth = 'dbit',            /* UInt32 */
    kAudioConverterPropertyCanResumeFromInterruption = 'crfi'  /* UInt32; only on phones */
};

/* A property of this library alone. */
AUDIO_CONSTANTS(AudioConverterPropertyID) {
    /* UInt64: packets since the converter was created that could not be decoded and became silence; read only. */
    kAudioConverterPropertyDamagedPacketCount = 'AQdp'
};

/* Values of kAudioConverterPropertyDithering. */
AUDIO_CONSTANTS(UInt32) {
    kDitherAlgorithm_TPDF = 1,        /* noise of triangular distribution */
    kDitherAlgorithm_NoiseShaping = 2 /* noise at the least audible frequencies */
};

/* Values of kAudioConverterSampleRateConverterQuality and kAudioConverterCodecQuality. */
AUDIO_CONSTANTS(UInt32) {
    kAudioConverterQuality_Max = 0x7F,    /* highest cost */
    kAudioConverterQuality_High = 0x60,   /* the default of the rate converter */
    kAudioConverterQuality_Medium = 0x40, /* the default of encoders */
    kAudioConverterQuality_Low = 0x20,    /* lower cost */
    kAudioConverterQuality_Min = 0        /* lowest cost */
};

/* Values of kAudioConverterSampleRateConverterComplexity. */
AUDIO_CONSTANTS(UInt32) {
    kAudioConverterSampleRateConverterComplexity_Linear = 'line',    /* interpolation, without a filter */
    kAudioConverterSampleRateConverterComplexity_Normal = 'norm',    /* the default filter */
    kAudioConverterSampleRateConverterComplexity_Mastering = 'bats', /* the best filter */
    /* A filter without pre-echo; not available here. */
    kAudioConverterSampleRateConverterComplexity_MinimumPhase = 'minp'
};

/* Values of kAudioConverterPrimeMethod, which have the same effect here: the converter needs no frames before the first
 * one, and has no delay. */
AUDIO_CONSTANTS(UInt32) {
    kConverterPrimeMethod_Pre = 0,    /* elsewhere the client passes the leading frames */
    kConverterPrimeMethod_Normal = 1, /* the default */
    kConverterPrimeMethod_None = 2    /* elsewhere the output is delayed by the trailing frames */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioConverterErr_FormatNotSupported = 'fmt?',         /* no conversion between the formats */
    kAudioConverterErr_OperationNotSupported = 0x6F703F3F,  /* 'op??', whose end C11 reads as a trigraph */
    kAudioConverterErr_PropertyNotSupported = 'prop',       /* no such property, or not of this converter */
    kAudioConverterErr_InvalidInputSize = 'insz',           /* a partial frame or packet, or too few buffers */
    kAudioConverterErr_InvalidOutputSize = 'otsz',          /* the output is too small */
    kAudioConverterErr_UnspecifiedError = 'what',           /* any other error */
    kAudioConverterErr_BadPropertySizeError = '!siz',       /* the value has another size */
    /* Packets differ in size, and have no descriptions. */
    kAudioConverterErr_RequiresPacketDescriptionsError = '!pkd',
    kAudioConverterErr_InputSampleRateOutOfRange = '!isr',  /* less than 1 Hz, or more than 1.536 MHz */
    kAudioConverterErr_OutputSampleRateOutOfRange = '!osr', /* less than 1 Hz, or more than 1.536 MHz */
    kAudioConverterErr_HardwareInUse = 'hwiu',              /* another program uses the hardware */
    kAudioConverterErr_NoHardwarePermission = 'perm'        /* the hardware may not be used */
};

/* Provides input: 0 packets and noErr end the stream, 0 packets and an error pause it. */
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription, void *_Nullable inUserData);

/* Provides input on a thread that must not wait. */
typedef OSStatus (*AudioConverterComplexInputDataProcRealtimeSafe)(
    AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription, void *_Nullable inUserData);

/* Provides bytes to AudioConverterFillBuffer. */
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioDataSize, void *_Nonnull *_Nonnull outData,
    void *_Nullable inUserData);

#if defined(__BLOCKS__)

/* Loads the codecs' libraries in the background. */
void AudioConverterPrepare(
    UInt32 inFlags, void *_Nullable ioReserved, void (^_Nullable inCompletionBlock)(OSStatus));

#endif

/* Creates a converter. */
OSStatus AudioConverterNew(
    const AudioStreamBasicDescription *inSourceFormat, const AudioStreamBasicDescription *inDestinationFormat,
    AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/* Creates a converter that uses one of the described codecs. */
OSStatus AudioConverterNewSpecific(
    const AudioStreamBasicDescription *inSourceFormat, const AudioStreamBasicDescription *inDestinationFormat,
    UInt32 inNumberClassDescriptions, const AudioClassDescription *inClassDescriptions,
    AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/* Creates a converter with options. */
OSStatus AudioConverterNewWithOptions(
    const AudioStreamBasicDescription *inSourceFormat, const AudioStreamBasicDescription *inDestinationFormat,
    AudioConverterOptions inOptions, AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/* Frees the converter. */
OSStatus AudioConverterDispose(AudioConverterRef inAudioConverter);

/* Drops the input: the next input begins a new stream. */
OSStatus AudioConverterReset(AudioConverterRef inAudioConverter);

/* Returns the largest size of a property's value, and whether the property can be set. */
OSStatus AudioConverterGetPropertyInfo(
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 *_Nullable outSize,
    Boolean *_Nullable outWritable) AUDIO_REFINED_FOR_SWIFT;

/* Copies a property's value into outPropertyData, which holds *ioPropertyDataSize bytes. */
OSStatus AudioConverterGetProperty(
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 *ioPropertyDataSize,
    void *outPropertyData);

/* Sets a property. */
OSStatus AudioConverterSetProperty(
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 inPropertyDataSize,
    const void *inPropertyData);

/* Converts the bytes of a buffer, between formats of linear PCM of one rate. */
OSStatus AudioConverterConvertBuffer(
    AudioConverterRef inAudioConverter, UInt32 inInputDataSize, const void *inInputData,
    UInt32 *ioOutputDataSize, void *outOutputData);

/* Makes packets, and requests input as needed. */
OSStatus AudioConverterFillComplexBuffer(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize, AudioBufferList *outOutputData,
    AudioStreamPacketDescription *_Nullable outPacketDescription);

/* Makes packets between formats of linear PCM, for a thread that must not wait. */
OSStatus AudioConverterFillComplexBufferRealtimeSafe(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProcRealtimeSafe inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize, AudioBufferList *outOutputData,
    AudioStreamPacketDescription *_Nullable outPacketDescription);

/* Makes packets, and returns the dependency of each on earlier packets. */
OSStatus AudioConverterFillComplexBufferWithPacketDependencies(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize, AudioBufferList *outOutputData,
    AudioStreamPacketDescription *_Nullable outPacketDescriptions,
    AudioStreamPacketDependencyDescription *outPacketDependencies);

/* Converts the frames of buffers, between formats of linear PCM of one rate. */
OSStatus AudioConverterConvertComplexBuffer(
    AudioConverterRef inAudioConverter, UInt32 inNumberPCMFrames, const AudioBufferList *inInputData,
    AudioBufferList *outOutputData);

/* Makes bytes. Replaced by AudioConverterFillComplexBuffer. */
OSStatus AudioConverterFillBuffer(
    AudioConverterRef inAudioConverter, AudioConverterInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataSize, void *outOutputData);

AUDIO_DECLARATIONS_END

#endif
