/* SPDX-License-Identifier: MIT */

/* The properties of Audio File Services: of a file, and of file types. */
#ifndef AUDIO_FILE_PROPERTIES_H
#define AUDIO_FILE_PROPERTIES_H

#include <AudioToolbox/AudioFileTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Properties of a file. The caller has to release CoreFoundation objects. */
AUDIO_CONSTANTS(AudioFilePropertyID) {
    kAudioFilePropertyFileFormat = 'ffmt',                     /* AudioFileTypeID */
    kAudioFilePropertyDataFormat = 'dfmt',                     /* AudioStreamBasicDescription */
    kAudioFilePropertyFormatList = 'flst',                     /* AudioFormatListItem for each layer */
    kAudioFilePropertyIsOptimized = 'optm',                    /* UInt32: 1 if the audio data is at the end */
    kAudioFilePropertyMagicCookieData = 'mgic',                /* bytes; set before packets are written */
    kAudioFilePropertyAudioDataByteCount = 'bcnt',             /* UInt64; set to truncate the data */
    kAudioFilePropertyAudioDataPacketCount = 'pcnt',           /* UInt64 */
    kAudioFilePropertyMaximumPacketSize = 'psze',              /* UInt32: bytes */
    kAudioFilePropertyDataOffset = 'doff',                     /* SInt64: bytes into the file */
    kAudioFilePropertyChannelLayout = 'cmap',                  /* AudioChannelLayout; can be set */
    kAudioFilePropertyDeferSizeUpdates = 'dszu',               /* UInt32; can be set */
    kAudioFilePropertyDataFormatName = 'fnme',                 /* CFStringRef */
    kAudioFilePropertyMarkerList = 'mkls',                     /* AudioFileMarkerList; can be set */
    kAudioFilePropertyRegionList = 'rgls',                     /* AudioFileRegionList; can be set */
    kAudioFilePropertyPacketToFrame = 'pkfr',                  /* AudioFramePacketTranslation */
    kAudioFilePropertyFrameToPacket = 'frpk',                  /* AudioFramePacketTranslation */
    kAudioFilePropertyRestrictsRandomAccess = 'rrap',          /* UInt32 */
    kAudioFilePropertyPacketToRollDistance = 'pkrl',           /* AudioPacketRollDistanceTranslation */
    kAudioFilePropertyPreviousIndependentPacket = 'pind',      /* AudioIndependentPacketTranslation */
    kAudioFilePropertyNextIndependentPacket = 'nind',          /* AudioIndependentPacketTranslation */
    kAudioFilePropertyPacketToDependencyInfo = 'pkdp',         /* AudioPacketDependencyInfoTranslation */
    kAudioFilePropertyPacketToByte = 'pkby',                   /* AudioBytePacketTranslation */
    kAudioFilePropertyByteToPacket = 'bypk',                   /* AudioBytePacketTranslation */
    kAudioFilePropertyChunkIDs = 'chid',                       /* OSType for each chunk */
    kAudioFilePropertyInfoDictionary = 'info',                 /* CFDictionaryRef; see the keys below */
    kAudioFilePropertyPacketTableInfo = 'pnfo',                /* AudioFilePacketTableInfo; can be set */
    kAudioFilePropertyPacketSizeUpperBound = 'pkub',           /* UInt32: bytes, without a scan */
    kAudioFilePropertyPacketRangeByteCountUpperBound = 'prub', /* AudioPacketRangeByteCountTranslation */
    kAudioFilePropertyReserveDuration = 'rsrv',                /* Float64: seconds to leave room for */
    kAudioFilePropertyEstimatedDuration = 'edur',              /* Float64: seconds */
    kAudioFilePropertyBitRate = 'brat',                        /* UInt32: bits a second */
    kAudioFilePropertyID3Tag = 'id3t',                         /* bytes; cannot be set here */
    kAudioFilePropertyID3TagOffset = 'id3o',                   /* SInt64: bytes into the file */
    kAudioFilePropertySourceBitDepth = 'sbtd',                 /* SInt32; negative for floating point */
    kAudioFilePropertyAlbumArtwork = 'aart',                   /* CFDataRef, or NULL */
    kAudioFilePropertyAudioTrackCount = 'atct',                /* UInt32 */
    kAudioFilePropertyUseAudioTrack = 'uatk'                   /* UInt32: the track to read, 0; set only */
};

/* Properties of file types. The caller has to release CoreFoundation objects. */
AUDIO_CONSTANTS(AudioFilePropertyID) {
    kAudioFileGlobalInfo_ReadableTypes = 'afrf',     /* AudioFileTypeID for each type */
    kAudioFileGlobalInfo_WritableTypes = 'afwf',     /* AudioFileTypeID for each type */
    kAudioFileGlobalInfo_FileTypeName = 'ftnm',      /* CFStringRef; specifier: AudioFileTypeID */
    /* AudioStreamBasicDescription for each form, some fields filled; specifier: AudioFileTypeAndFormatID */
    kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 'sdid',
    kAudioFileGlobalInfo_AvailableFormatIDs = 'fmid',  /* UInt32 for each format; specifier: AudioFileTypeID */
    kAudioFileGlobalInfo_AllExtensions = 'alxt',       /* CFArrayRef of CFStringRef */
    kAudioFileGlobalInfo_AllHFSTypeCodes = 'ahfs',     /* OSType for each code */
    kAudioFileGlobalInfo_AllUTIs = 'auti',             /* CFArrayRef of CFStringRef */
    kAudioFileGlobalInfo_AllMIMETypes = 'amim',        /* CFArrayRef of CFStringRef */
    kAudioFileGlobalInfo_ExtensionsForType = 'fext',   /* CFArrayRef; specifier: AudioFileTypeID */
    kAudioFileGlobalInfo_HFSTypeCodesForType = 'fhfs', /* OSType for each code; specifier: AudioFileTypeID */
    kAudioFileGlobalInfo_UTIsForType = 'futi',         /* CFArrayRef; specifier: AudioFileTypeID */
    kAudioFileGlobalInfo_MIMETypesForType = 'fmim',    /* CFArrayRef; specifier: AudioFileTypeID */
    kAudioFileGlobalInfo_TypesForMIMEType = 'tmim',    /* AudioFileTypeID for each type; specifier: CFStringRef */
    kAudioFileGlobalInfo_TypesForUTI = 'tuti',         /* AudioFileTypeID for each type; specifier: CFStringRef */
    kAudioFileGlobalInfo_TypesForHFSTypeCode = 'thfs', /* AudioFileTypeID for each type; specifier: OSType */
    kAudioFileGlobalInfo_TypesForExtension = 'text'    /* AudioFileTypeID for each type; specifier: CFStringRef */
};

/* The keys of kAudioFilePropertyInfoDictionary. */
#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

AUDIO_DECLARATIONS_END

#endif
