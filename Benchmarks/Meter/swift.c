/* SPDX-License-Identifier: MIT */

/* Replaces the reference counting of Swift's runtime. Retains and releases by the program's own code are counted,
 * including those in specialised generic functions. Those within the runtime are not counted. The runtime's hooks for
 * instruments would count them too, but pass the bytes of short strings as if they were objects (Swift 6.3).
 *
 * The creation of an object counts as an allocation. */
#include "internal.h"

#include <stdint.h>

#define REFERENCE(result, name) \
    result name(void *object); \
    COUNTED(METER_RETAIN, result, name, (void *object), (object))
#define REFERENCES(result, name) \
    result name(void *object, uint32_t times); \
    COUNTED(METER_RETAIN, result, name, (void *object, uint32_t times), (object, times))

REFERENCE(void *, swift_retain)
REFERENCE(void, swift_release)
REFERENCES(void *, swift_retain_n)
REFERENCES(void, swift_release_n)
REFERENCE(void *, swift_tryRetain)
REFERENCE(void *, swift_nonatomic_retain)
REFERENCE(void, swift_nonatomic_release)
REFERENCE(void *, swift_bridgeObjectRetain)
REFERENCE(void, swift_bridgeObjectRelease)
REFERENCES(void *, swift_bridgeObjectRetain_n)
REFERENCES(void, swift_bridgeObjectRelease_n)
REFERENCE(void *, swift_unownedRetain)
REFERENCE(void, swift_unownedRelease)
REFERENCE(void *, swift_unownedRetainStrong)
REFERENCE(void, swift_unownedRetainStrongAndRelease)
REFERENCE(void *, swift_weakLoadStrong)
REFERENCE(void *, swift_weakTakeStrong)
