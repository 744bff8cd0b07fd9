/* Preloaded into a program: the system starts THREADS threads for it and refuses all others. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    const char *allowed = getenv("THREADS");
    if (atomic_fetch_add(&started, 1) >= (allowed ? atoi(allowed) : 0))
        return EAGAIN;
    return create(thread, attributes, work, argument);
}
