#ifndef CSOCKETS_H
#define CSOCKETS_H

#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say for itself of sockets on Linux: addresses, and memory that is read into.
// Unless said otherwise calls answer -1 and set errno when they fail.

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

/// How many bytes of a file the system took, from a place in it; 0 where the file has ended before.
///
/// They do not come through the process. A client that vanished is a signal here: see
/// csockets_survive_broken_pipes.
ssize_t csockets_send_file(int socket, int file, int64_t offset, size_t count);

/// How many bytes of a file were read without waiting for the disk; EAGAIN where none are in memory.
ssize_t csockets_read_in_memory(int file, void *bytes, size_t count, int64_t offset);

/// From now on a write to a client that vanished fails, and does not end the process.
///
/// Programs that this one starts are as they would be without.
void csockets_survive_broken_pipes(void);

/// Lets the process open as many files as its hard limit allows; answers how many these are, and -1
/// where there is no limit, or none that can be told.
int64_t csockets_raise_open_files(void);

#endif
