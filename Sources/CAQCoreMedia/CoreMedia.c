/* SPDX-License-Identifier: MIT */

/* The constants that are variables: Swift cannot define them. */
#include <CoreMedia/CoreMedia.h>

const CMTime kCMTimeInvalid = {0, 0, (CMTimeFlags)0, 0};
const CMTime kCMTimeIndefinite = {
    0, 0, (CMTimeFlags)(kCMTimeFlags_Valid | kCMTimeFlags_Indefinite), 0};
const CMTime kCMTimePositiveInfinity = {
    0, 0, (CMTimeFlags)(kCMTimeFlags_Valid | kCMTimeFlags_PositiveInfinity), 0};
const CMTime kCMTimeNegativeInfinity = {
    0, 0, (CMTimeFlags)(kCMTimeFlags_Valid | kCMTimeFlags_NegativeInfinity), 0};
const CMTime kCMTimeZero = {0, 1, kCMTimeFlags_Valid, 0};

const CMTimeRange kCMTimeRangeZero = {
    {0, 1, kCMTimeFlags_Valid, 0}, {0, 1, kCMTimeFlags_Valid, 0}};
const CMTimeRange kCMTimeRangeInvalid = {{0, 0, (CMTimeFlags)0, 0}, {0, 0, (CMTimeFlags)0, 0}};

const CMSampleTimingInfo kCMTimingInfoInvalid = {
    {0, 0, (CMTimeFlags)0, 0}, {0, 0, (CMTimeFlags)0, 0}, {0, 0, (CMTimeFlags)0, 0}};
