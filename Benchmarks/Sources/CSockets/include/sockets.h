#ifndef PLIMSOLL_BENCHMARKS_SOCKETS_H
#define PLIMSOLL_BENCHMARKS_SOCKETS_H

// Connects to a port of this machine; sends what is written at once. -1 where nobody listens.
int sockets_connect(unsigned short port);

#endif
