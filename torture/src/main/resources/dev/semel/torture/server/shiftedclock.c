/* Moves the wall clock of a process by the number of seconds that the file $SHIFTED_CLOCK holds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long offset(time_t now) {
    static time_t read_at = -1;
    static long seconds = 0;
    if (now != read_at) { /* once a second is often enough */
        const char *name = getenv("SHIFTED_CLOCK");
        FILE *file = name ? fopen(name, "r") : NULL;
        long value;
        if (file) {
            if (fscanf(file, "%ld", &value) == 1) seconds = value;
            fclose(file);
        }
        read_at = now;
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, at);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += offset(at->tv_sec);
    return result;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    (void) zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
