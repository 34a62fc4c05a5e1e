#define _GNU_SOURCE
#include "csockets.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

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

ssize_t csockets_send_file(int socket, int file, int64_t offset, size_t count) {
    ssize_t sent;
    off_t place = offset;
    do {
        sent = sendfile(socket, file, &place, count);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t csockets_read_in_memory(int file, void *bytes, size_t count, int64_t offset) {
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    ssize_t read;
    do {
        read = preadv2(file, &piece, 1, offset, RWF_NOWAIT);
    } while (read < 0 && errno == EINTR);
    return read;
}

static void ignore(int number) { (void)number; }

void csockets_survive_broken_pipes(void) {
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) < 0 || now.sa_handler != SIG_DFL) return;
    // Unlike SIG_IGN, a handler is not handed on to programs that are started.
    struct sigaction wanted = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    (void)sigaction(SIGPIPE, &wanted, NULL);
}

int64_t csockets_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    // Who is refused goes on with what there was.
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) limit.rlim_cur = before;
    return limit.rlim_cur > INT64_MAX ? -1 : (int64_t)limit.rlim_cur;
}
