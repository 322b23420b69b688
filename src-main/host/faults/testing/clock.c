// LD_PRELOAD for the fault tests: adds the number of seconds in the file CLOCK_FILE (8 bytes) to the time of day.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCK_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) ahead = shared;
  close(file);
}

static int64_t seconds(void) { return ahead == NULL ? 0 : *ahead; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = ((__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime"))(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = ((__typeof__(&gettimeofday))dlsym(RTLD_NEXT, "gettimeofday"))(now, zone);
  if (result == 0) now->tv_sec += seconds();
  return result;
}

time_t time(time_t *now) {
  struct timespec current;
  clock_gettime(CLOCK_REALTIME, &current);
  if (now != NULL) *now = current.tv_sec;
  return current.tv_sec;
}
