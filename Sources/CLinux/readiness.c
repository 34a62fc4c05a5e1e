#define _GNU_SOURCE
#include "creadiness.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CAPACITY 256

int creadiness_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int creadiness_open_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int creadiness_wake(int waker) {
    uint64_t one = 1;
    return write(waker, &one, sizeof one) == sizeof one ? 0 : -1;
}

void creadiness_calm(int waker) {
    uint64_t count;
    // Nothing to read is as calm as it gets.
    if (read(waker, &count, sizeof count) < 0) return;
}

int creadiness_arm(int set, int descriptor, uint64_t key, int reading, int writing, int known) {
    // One shot: an armed descriptor reports once, so a report nobody waits for cannot spin.
    struct epoll_event event = {
        .events = EPOLLONESHOT | (reading ? EPOLLIN | EPOLLRDHUP : 0) | (writing ? EPOLLOUT : 0),
        .data.u64 = key,
    };
    return epoll_ctl(set, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
}

int creadiness_watch(int set, int descriptor, uint64_t key, int known) {
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
        .data.u64 = key,
    };
    return epoll_ctl(set, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
}

int creadiness_watch_reading(int set, int descriptor, uint64_t key) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = key};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int creadiness_forget(int set, int descriptor) {
    struct epoll_event unused = {0};
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &unused);
}

int creadiness_wait(int set, creadiness_event *events, int capacity, int milliseconds) {
    struct epoll_event found[CAPACITY];
    int limit = capacity < CAPACITY ? capacity : CAPACITY;
    int count = epoll_wait(set, found, limit, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++)
        events[i] = (creadiness_event){
            .key = found[i].data.u64,
            .readable = (found[i].events & EPOLLIN) != 0,
            .writable = (found[i].events & EPOLLOUT) != 0,
            .ended = (found[i].events & EPOLLRDHUP) != 0,
            .over = (found[i].events & (EPOLLERR | EPOLLHUP)) != 0,
        };
    return count;
}

int creadiness_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

int creadiness_shut_down(int descriptor) { return shutdown(descriptor, SHUT_RDWR); }

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

int creadiness_start_thread(void (*body)(void *), void *context, const char *name) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return -1;
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);
    start->name[sizeof start->name - 1] = 0;
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        // The mask is inherited: signals are for the threads that expect them.
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&thread, &attributes, run, start);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (error == 0) return 0;
    free(start);
    errno = error;
    return -1;
}

int creadiness_open_process(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

static int has_text_relocations(const struct dl_phdr_info *image) {
    for (int i = 0; i < image->dlpi_phnum; i++) {
        if (image->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(image->dlpi_addr + image->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL ||
                (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
                return 1;
    }
    return 0;
}

static int give_back(struct dl_phdr_info *image, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (has_text_relocations(image)) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < image->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
        // What the linker relocates otherwise lies in a segment that could be written once.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = (image->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = image->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        // The kernel's own pages come back like the others.
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void creadiness_give_back_program(void) {
    // What is preloaded may have put other pages where the program's were.
    if (getenv("LD_PRELOAD") == NULL) dl_iterate_phdr(give_back, NULL);
}
