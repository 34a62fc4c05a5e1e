// Tells the thread sanitizer of Swift's mutexes. One that nobody else wants is taken and given back
// by code that is compiled into its user, which the sanitizer watches; where a thread has to wait,
// the standard library does it, which nobody watches. scripts/test puts this before that library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// A program that is not watched has neither.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try(SELF void *mutex) __asm__(TRY);
SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);

static SWIFT void (*library_lock)(uint32_t thread, SELF void *mutex);
static SWIFT bool (*library_try)(SELF void *mutex);
static SWIFT void (*library_unlock)(SELF void *mutex);

__attribute__((constructor)) static void find(void) {
    library_lock = dlsym(RTLD_NEXT, LOCK);
    library_try = dlsym(RTLD_NEXT, TRY);
    library_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock(uint32_t thread, SELF void *mutex) {
    library_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try(SELF void *mutex) {
    bool taken = library_try(mutex);
    if (taken && __tsan_acquire) __tsan_acquire(mutex);
    return taken;
}

SWIFT void unlock(SELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    library_unlock(mutex);
}
