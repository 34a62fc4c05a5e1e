#define _GNU_SOURCE
#include "csockets.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define CAPACITY 256

static int set_option(int descriptor, int level, int name, int value) {
    return setsockopt(descriptor, level, name, &value, sizeof value);
}

static int listen_on(const struct addrinfo *address, int backlog, int receive_buffer) {
    int kind = address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int listener = socket(address->ai_family, kind, address->ai_protocol);
    if (listener < 0) return -1;
    if (set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1) < 0 ||
        set_option(listener, SOL_SOCKET, SO_RCVBUF, receive_buffer) < 0 ||
        set_option(listener, IPPROTO_TCP, TCP_NODELAY, 1) < 0 ||
        bind(listener, address->ai_addr, address->ai_addrlen) < 0 ||
        listen(listener, backlog) < 0) {
        int error = errno;
        close(listener);
        errno = error;
        return -1;
    }
    return listener;
}

static int port_of(int listener) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length) < 0) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

int csockets_listen(
    const char *host, const char *port, int backlog, int receive_buffer, int *bound_port,
    const char **explanation) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, port, &wanted, &found);
    if (code != 0) {
        *explanation = code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code);
        return -2;
    }
    int listener = -1;
    for (struct addrinfo *next = found; next != NULL; next = next->ai_next) {
        listener = listen_on(next, backlog, receive_buffer);
        // Another address stands in only for one that this machine does not have: where the first
        // is taken, a second server would get half of the clients.
        if (listener >= 0 || (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT)) break;
    }
    int error = errno;
    freeaddrinfo(found);
    errno = error;
    if (listener >= 0) *bound_port = port_of(listener);
    return listener;
}

int csockets_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

ssize_t csockets_receive(int socket, void *bytes, size_t capacity) {
    ssize_t count;
    do {
        count = recv(socket, bytes, capacity, 0);
    } while (count < 0 && errno == EINTR);
    return count;
}

ssize_t csockets_send(int socket, const void *bytes, size_t count) {
    ssize_t sent;
    do {
        sent = send(socket, bytes, count, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

int csockets_open_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

int csockets_watch(int set, int descriptor, uint64_t key, int known) {
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
        .data.u64 = key,
    };
    return epoll_ctl(set, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
}

int csockets_watch_reading(int set, int descriptor, uint64_t key) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = key};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int csockets_forget(int set, int descriptor) {
    struct epoll_event unused = {0};
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &unused);
}

int csockets_wait(int set, csockets_event *events, int capacity, int milliseconds) {
    struct epoll_event found[CAPACITY];
    int limit = capacity < CAPACITY ? capacity : CAPACITY;
    int count = epoll_wait(set, found, limit, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++)
        events[i] = (csockets_event){
            .key = found[i].data.u64,
            .readable = (found[i].events & EPOLLIN) != 0,
            .writable = (found[i].events & EPOLLOUT) != 0,
            .ended = (found[i].events & EPOLLRDHUP) != 0,
            .over = (found[i].events & (EPOLLERR | EPOLLHUP)) != 0,
        };
    return count;
}

int csockets_open_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void csockets_wake(int waker) {
    uint64_t one = 1;
    // It fails only where it is readable already.
    if (write(waker, &one, sizeof one) < 0) return;
}

void csockets_calm(int waker) {
    uint64_t count;
    // Nothing to read is as calm as it gets.
    if (read(waker, &count, sizeof count) < 0) return;
}

void csockets_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    // Who is refused goes on with what there was.
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}
