/* SPDX-License-Identifier: MIT */

/* The part of CoreServices that audio programs use: CoreFoundation, classic Mac types and result codes. */
#ifndef AUDIO_CORE_SERVICES_H
#define AUDIO_CORE_SERVICES_H

#include <CoreFoundation/CoreFoundation.h>
#include <MacTypes.h>

/* Results. */
enum {
    unimpErr = -4,         /* not implemented here */
    dskFulErr = -34,       /* the disk is full */
    ioErr = -36,           /* reading or writing failed */
    bdNamErr = -37,        /* not a valid file name */
    fnOpnErr = -38,        /* the file is not open */
    eofErr = -39,          /* the end of the file */
    posErr = -40,          /* the offset is before the start of the file */
    tmfoErr = -42,         /* too many files are open */
    fnfErr = -43,          /* there is no such file */
    fLckdErr = -45,        /* the file is locked */
    dupFNErr = -48,        /* the file exists already */
    opWrErr = -49,         /* the file is open for writing already */
    paramErr = -50,        /* an argument is missing or invalid */
    permErr = -54,         /* the file may not be opened */
    wrPermErr = -61,       /* the file may not be written */
    memFullErr = -108,     /* not enough memory */
    dirNFErr = -120,       /* there is no such folder */
    userCanceledErr = -128 /* cancelled by the user */
};

/* The permissions of an open file. */
enum {
    fsCurPerm = 0,  /* any permission that is allowed */
    fsRdPerm = 1,   /* reading */
    fsWrPerm = 2,   /* writing */
    fsRdWrPerm = 3  /* reading and writing */
};

/* The origin of an offset in a file. */
enum {
    fsAtMark = 0,    /* the current offset */
    fsFromStart = 1, /* the beginning */
    fsFromLEOF = 2,  /* the end */
    fsFromMark = 3   /* the current offset, plus the given one */
};

#endif
