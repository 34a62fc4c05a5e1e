#ifndef CSOCKETS_H
#define CSOCKETS_H

#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say for itself of sockets on Linux: addresses, epoll's packed event, an eventfd.
// Unless said otherwise calls answer -1 and set errno when they fail.

/// A descriptor that became ready, by the key it is watched with.
typedef struct {
    uint64_t key;
    uint8_t readable;
    uint8_t writable;
    /// The other side sends no more; what it sent may still be unread.
    uint8_t ended;
    /// Both directions are over, or the connection broke.
    uint8_t over;
} csockets_event;

/// Listens on the first address of the host that this machine has, and says on which port.
///
/// Connections inherit the size of the receive buffer, and that small writes are not held back.
/// `-2` and an explanation where the host has no address.
int csockets_listen(
    const char *host, const char *port, int backlog, int receive_buffer, int *bound_port,
    const char **explanation);

/// The next connection; it does not block and is closed on exec.
int csockets_accept(int listener);

/// How many bytes came, 0 at their end; at most `capacity`.
ssize_t csockets_receive(int socket, void *bytes, size_t capacity);

/// How many bytes the system took; a client that vanished is no signal.
ssize_t csockets_send(int socket, const void *bytes, size_t count);

/// Opens an epoll set.
int csockets_open_set(void);

/// Watches a descriptor for what it becomes ready for, in both directions and once each time.
///
/// `known` says that the set has it; then what it is ready for now is told again.
int csockets_watch(int set, int descriptor, uint64_t key, int known);

/// Watches a descriptor for as long as there is something to read.
int csockets_watch_reading(int set, int descriptor, uint64_t key);

/// Watches it no more.
int csockets_forget(int set, int descriptor);

/// Waits for at most `milliseconds` and answers how many events were stored.
int csockets_wait(int set, csockets_event *events, int capacity, int milliseconds);

/// Opens an eventfd.
int csockets_open_waker(void);

/// Makes the waker readable.
void csockets_wake(int waker);

/// Takes back all wakes.
void csockets_calm(int waker);

/// Lets the process open as many files as it may without more rights.
void csockets_raise_open_files(void);

#endif
