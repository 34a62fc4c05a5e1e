#define _GNU_SOURCE
#include "cbenchmarksockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int sockets_connect(unsigned short port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return -1;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int on = 1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0
        || setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static const char *const words[] = {
    "",
    "",
    "GET /distribution/availa",
    "GET /distribution/availability-ios HTTP/1.1\r\nHost: a\r\n\r\n",
    "\x16\x03\x01garbage\r\n\r\n",
};

static int visit(unsigned short port, int number) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return 0;
    }
    // 127.0.0.1 to 127.0.0.8.
    struct sockaddr_in source = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK + (unsigned)(number % 8)),
    };
    struct sockaddr_in target = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int manner = number % 5;
    const char *text = words[manner];
    // Every second one that says something, and one of those that do not, resets the connection.
    struct linger reset = {.l_onoff = manner == 1 || number % 2, .l_linger = 0};
    int isWell = bind(descriptor, (struct sockaddr *)&source, sizeof source) == 0
        && connect(descriptor, (struct sockaddr *)&target, sizeof target) == 0
        && send(descriptor, text, strlen(text), MSG_NOSIGNAL) >= 0
        && setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) == 0;
    close(descriptor);
    return isWell;
}

int sockets_crowd(unsigned short port, int visits, int per_second, int processor) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    if (sched_setaffinity(0, sizeof processors, &processors) < 0) {
        return -1;
    }
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    int done = 0;
    for (int number = 0; number < visits; number += 1) {
        done += visit(port, number);
        next.tv_nsec += 1000000000 / per_second;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec += 1;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    cpu_set_t all;
    memset(&all, 0xFF, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
    return done;
}

int sockets_are_quiet(int descriptor) {
    char byte;
    return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0
        && (errno == EAGAIN || errno == EWOULDBLOCK);
}
