/* Before the counting of references in Swift's runtime: what a program's own code does, also that of generic
 * functions that were made for it. What the runtime does within itself is not seen. Its hooks for instruments would
 * show that too, but hand on the bytes of short strings as if they were objects (Swift 6.3).
 *
 * An object that is made shows as an allocation. */
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
