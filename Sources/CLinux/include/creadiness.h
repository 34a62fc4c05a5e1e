#ifndef CREADINESS_H
#define CREADINESS_H

#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say for itself: epoll's packed event, an eventfd, a detached thread, a
// pidfd, the program's own pages. All calls answer -1 and set errno when they fail.

/// One descriptor that became ready, by the key that it was armed or is watched with.
typedef struct {
    uint64_t key;
    uint8_t readable;
    uint8_t writable;
    /// The other side sends no more; what it sent may still be unread.
    uint8_t ended;
    /// Both directions are over, or the connection broke.
    uint8_t over;
} creadiness_event;

/// Opens an epoll set.
int creadiness_open(void);

/// Opens an eventfd, which a wake makes readable.
int creadiness_open_waker(void);

/// Makes the next or current wait return that watches the waker.
int creadiness_wake(int waker);

/// Takes back all wakes.
void creadiness_calm(int waker);

/// Arms a descriptor for one report. `known` says whether the set already has it.
int creadiness_arm(int set, int descriptor, uint64_t key, int reading, int writing, int known);

/// Watches a descriptor for what it becomes ready for, in both directions, with one report each time.
///
/// `known` says that the set has it; then what it is ready for now is reported again.
int creadiness_watch(int set, int descriptor, uint64_t key, int known);

/// Watches a descriptor, with reports for as long as there is something to read.
int creadiness_watch_reading(int set, int descriptor, uint64_t key);

/// Forgets a descriptor. It must still be open.
int creadiness_forget(int set, int descriptor);

/// Waits for at most `milliseconds` (-1: without end) and answers how many events were stored.
int creadiness_wait(int set, creadiness_event *events, int capacity, int milliseconds);

/// Duplicates a descriptor; the copy is closed on exec.
int creadiness_duplicate(int descriptor);

/// Ends both directions of a socket, whoever else holds it.
int creadiness_shut_down(int descriptor);

/// Starts a detached thread that takes no signals.
int creadiness_start_thread(void (*body)(void *), void *context, const char *name);

/// Opens a descriptor that becomes readable when the process ends.
int creadiness_open_process(pid_t process);

/// Gives back the resident pages of the program's file and its libraries that nobody can write.
///
/// What is needed again is mapped again from the page cache, or read again from the file. What a
/// debugger wrote there, as breakpoints are, is gone.
void creadiness_give_back_program(void);

#endif
