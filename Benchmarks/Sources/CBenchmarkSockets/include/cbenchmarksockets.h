#ifndef PLIMSOLL_BENCHMARKS_SOCKETS_H
#define PLIMSOLL_BENCHMARKS_SOCKETS_H

// Connects to a port of this machine; sends what is written at once. -1 where nobody listens.
int sockets_connect(unsigned short port);

// Opens and drops connections from eight addresses of this machine, in several ways, on one
// processor; says how many were taken. -1 where there is no such processor.
int sockets_crowd(unsigned short port, int visits, int per_second, int processor);

// Whether a connection is open with nothing to read; 0 where it was closed, or something came.
int sockets_are_quiet(int descriptor);

#endif
