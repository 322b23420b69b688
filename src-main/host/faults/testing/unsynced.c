// LD_PRELOAD for the fault tests: records what a process writes below UNSYNCED_ROOT before it is flushed, so that the test
// can take it back after a kill, as a power loss would. UNSYNCED_LOG: the file of the records, read by power-loss.ts.
// UNSYNCED_STASH: a folder on the same file system for files that lose their last name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))next_symbol(#name))

// `before` and `after`: bytes that follow the record. `name`: 'C'reate, 'L'ink, 'U'nlink, 'R'ename, 'M'ake and 'D'elete folder; 'W'rite, 'T'runcate, 'S'ync.
typedef struct {
  uint32_t type, before, after, unused;
  uint64_t inode, offset, size, count;
} Record;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *stash;
static size_t root_length;
static int log_file = -1;
static uint64_t count;

static void *next_symbol(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("UNSYNCED_LOG");
  root = getenv("UNSYNCED_ROOT");
  stash = getenv("UNSYNCED_STASH");
  if (path == NULL || root == NULL || stash == NULL) return;
  root_length = strlen(root);
  log_file = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int is_below(const char *path) {
  return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

// Whether a descriptor is a file or folder below the root.
static int is_ours(int fd) {
  if (log_file < 0 || fd == log_file) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static void put(Record record, const void *before, const void *after) {
  record.count = count++;
  struct iovec parts[] = {{&record, sizeof record}, {(void *)before, record.before}, {(void *)after, record.after}};
  if (REAL(writev)(log_file, parts, 3) < 0) abort();
}

// Records the bytes that a change of the file's content replaces. The caller holds the mutex.
static void put_content(int fd, uint32_t type, off_t offset, size_t length, const void *bytes) {
  struct stat64 stat;
  if (fstat64(fd, &stat) != 0 || !S_ISREG(stat.st_mode)) return;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int reader = REAL(open)(link, O_RDONLY | O_CLOEXEC);
  char *before = malloc(length + 1);
  ssize_t had = reader < 0 ? 0 : pread64(reader, before, length, offset);
  if (reader >= 0) close(reader);
  Record record = {type, had > 0 ? had : 0, bytes ? length : 0, 0, stat.st_ino, offset, stat.st_size, 0};
  put(record, before, bytes);
  free(before);
}

static int is_flushed_by_itself(int fd) { return (fcntl(fd, F_GETFL) & O_DSYNC) != 0; }

static off_t position(int fd) {
  struct stat64 stat;
  if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat64(fd, &stat) == 0) return stat.st_size;
  return lseek64(fd, 0, SEEK_CUR);
}

#define CONTENT(fd, offset, length, bytes, call)            \
  if (!is_ours(fd) || is_flushed_by_itself(fd)) return call; \
  pthread_mutex_lock(&mutex);                               \
  put_content(fd, 'W', offset, length, bytes);              \
  __typeof__(call) result = call;                           \
  int error = errno;                                        \
  pthread_mutex_unlock(&mutex);                             \
  errno = error;                                            \
  return result

ssize_t write(int fd, const void *bytes, size_t length) {
  CONTENT(fd, position(fd), length, bytes, REAL(write)(fd, bytes, length));
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  CONTENT(fd, offset, length, bytes, REAL(pwrite)(fd, bytes, length, offset));
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  CONTENT(fd, offset, length, bytes, REAL(pwrite64)(fd, bytes, length, offset));
}

// One record for each piece.
static void put_pieces(int fd, const struct iovec *pieces, int many, off_t offset) {
  for (int at = 0; at < many; at++) {
    put_content(fd, 'W', offset, pieces[at].iov_len, pieces[at].iov_base);
    offset += pieces[at].iov_len;
  }
}
#define PIECES(offset, call)                                 \
  if (!is_ours(fd) || is_flushed_by_itself(fd)) return call; \
  pthread_mutex_lock(&mutex);                               \
  put_pieces(fd, pieces, many, offset);                     \
  ssize_t result = call;                                    \
  int error = errno;                                        \
  pthread_mutex_unlock(&mutex);                             \
  errno = error;                                            \
  return result

ssize_t writev(int fd, const struct iovec *pieces, int many) {
  PIECES(position(fd), REAL(writev)(fd, pieces, many));
}
ssize_t pwritev(int fd, const struct iovec *pieces, int many, off_t offset) {
  PIECES(offset, REAL(pwritev)(fd, pieces, many, offset));
}
ssize_t pwritev64(int fd, const struct iovec *pieces, int many, off64_t offset) {
  PIECES(offset, REAL(pwritev64)(fd, pieces, many, offset));
}

static void put_truncation(int fd, off_t length) {
  struct stat64 stat;
  if (fstat64(fd, &stat) != 0) return;
  put_content(fd, 'T', length, stat.st_size > length ? stat.st_size - length : 0, NULL);
}
#define TRUNCATION(call)             \
  if (!is_ours(fd)) return call;     \
  pthread_mutex_lock(&mutex);        \
  put_truncation(fd, length);        \
  int result = call, error = errno;  \
  pthread_mutex_unlock(&mutex);      \
  errno = error;                     \
  return result
int ftruncate(int fd, off_t length) { TRUNCATION(REAL(ftruncate)(fd, length)); }
int ftruncate64(int fd, off64_t length) { TRUNCATION(REAL(ftruncate64)(fd, length)); }

// What was recorded when the flush began is on the disk when it ends.
#define FLUSH(call)                                                \
  if (!is_ours(fd)) return call;                                   \
  pthread_mutex_lock(&mutex);                                      \
  uint64_t until = count;                                          \
  pthread_mutex_unlock(&mutex);                                    \
  int result = call, error = errno;                                \
  struct stat64 stat;                                              \
  if (result == 0 && fstat64(fd, &stat) == 0) {                    \
    Record record = {'S', 0, 0, 0, stat.st_ino, until, 0, 0};      \
    pthread_mutex_lock(&mutex);                                    \
    put(record, NULL, NULL);                                       \
    pthread_mutex_unlock(&mutex);                                  \
  }                                                                \
  errno = error;                                                   \
  return result
int fsync(int fd) { FLUSH(REAL(fsync)(fd)); }
int fdatasync(int fd) { FLUSH(REAL(fdatasync)(fd)); }

// The absolute path of a name, and the inode of its folder; 0 if it is not below the root.
static int name_at(int folder, const char *path, char *full, uint64_t *inode) {
  if (log_file < 0) return 0;
  char at[PATH_MAX], parent[PATH_MAX], real[PATH_MAX];
  if (path[0] == '/' || folder == AT_FDCWD) snprintf(at, sizeof at, "%s", path);
  else snprintf(at, sizeof at, "/proc/self/fd/%d/%s", folder, path);
  char *slash = strrchr(at, '/');
  const char *name = slash ? slash + 1 : at;
  if (slash == NULL) snprintf(parent, sizeof parent, ".");
  else snprintf(parent, sizeof parent, "%.*s", slash == at ? 1 : (int)(slash - at), at);
  struct stat64 stat;
  if (realpath(parent, real) == NULL || !is_below(real) || stat64(real, &stat) != 0) return 0;
  if (snprintf(full, PATH_MAX, "%s/%s", real, name) >= PATH_MAX) return 0;
  *inode = stat.st_ino;
  return 1;
}

// Gives a file another name, so that its content outlives the loss of this one. `kept` is empty if there is no such file.
static void keep(const char *path, char *kept) {
  snprintf(kept, PATH_MAX, "%s/%d-%lu", stash, getpid(), (unsigned long)count);
  if (REAL(link)(path, kept) != 0) kept[0] = 0;
}

static void put_name(uint32_t type, uint64_t inode, const char *first, const char *second, const char *third) {
  char after[2 * PATH_MAX];
  int length = snprintf(after, sizeof after, "%s%c%s", second, 0, third);
  Record record = {type, strlen(first), length, 0, inode, 0, 0, 0};
  put(record, first, after);
}

#define NAME(type, call)                                 \
  char full[PATH_MAX];                                   \
  uint64_t inode;                                        \
  if (!name_at(folder, path, full, &inode)) return call; \
  pthread_mutex_lock(&mutex);                            \
  int result = call, error = errno;                      \
  if (result == 0) put_name(type, inode, full, "", "");  \
  pthread_mutex_unlock(&mutex);                          \
  errno = error;                                         \
  return result
static int making(int folder, const char *path, mode_t mode) { NAME('M', REAL(mkdirat)(folder, path, mode)); }
static int deleting(int folder, const char *path) { NAME('D', REAL(unlinkat)(folder, path, AT_REMOVEDIR)); }
int mkdir(const char *path, mode_t mode) { return making(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return making(folder, path, mode); }
int rmdir(const char *path) { return deleting(AT_FDCWD, path); }

static int removal(int folder, const char *path, int flags) {
  char full[PATH_MAX], kept[PATH_MAX];
  uint64_t inode;
  if (flags & AT_REMOVEDIR) return deleting(folder, path);
  if (!name_at(folder, path, full, &inode)) return REAL(unlinkat)(folder, path, flags);
  pthread_mutex_lock(&mutex);
  keep(full, kept);
  put_name('U', inode, full, kept, "");
  int result = REAL(unlinkat)(folder, path, flags), error = errno;
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}
int unlink(const char *path) { return removal(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return removal(folder, path, flags); }

static int renaming(int from, const char *path, int to, const char *target, unsigned flags) {
  char source[PATH_MAX], full[PATH_MAX], kept[PATH_MAX];
  uint64_t other, inode;
  if (!name_at(from, path, source, &other) || !name_at(to, target, full, &inode))
    return REAL(renameat2)(from, path, to, target, flags);
  pthread_mutex_lock(&mutex);
  keep(full, kept);
  put_name('R', inode, full, kept, source);
  int result = REAL(renameat2)(from, path, to, target, flags), error = errno;
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}
int rename(const char *path, const char *target) { return renaming(AT_FDCWD, path, AT_FDCWD, target, 0); }
int renameat(int from, const char *path, int to, const char *target) { return renaming(from, path, to, target, 0); }
int renameat2(int from, const char *path, int to, const char *target, unsigned flags) {
  return renaming(from, path, to, target, flags);
}

static int linking(int from, const char *path, int to, const char *target, int flags) {
  char full[PATH_MAX];
  uint64_t inode;
  if (!name_at(to, target, full, &inode)) return REAL(linkat)(from, path, to, target, flags);
  pthread_mutex_lock(&mutex);
  int result = REAL(linkat)(from, path, to, target, flags), error = errno;
  if (result == 0) put_name('L', inode, full, "", "");
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}
int link(const char *path, const char *target) { return linking(AT_FDCWD, path, AT_FDCWD, target, 0); }
int linkat(int from, const char *path, int to, const char *target, int flags) {
  return linking(from, path, to, target, flags);
}

static int opening(int folder, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  uint64_t inode;
  if (!(flags & (O_CREAT | O_TRUNC)) || !name_at(folder, path, full, &inode))
    return REAL(openat64)(folder, path, flags, mode);
  pthread_mutex_lock(&mutex);
  int is_new = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
  if ((flags & O_TRUNC) && !is_new) {
    int reader = REAL(openat64)(folder, path, O_RDONLY | O_CLOEXEC);
    if (reader >= 0) {
      put_truncation(reader, 0);
      close(reader);
    }
  }
  int fd = REAL(openat64)(folder, path, flags, mode), error = errno;
  if (fd >= 0 && is_new) put_name('C', inode, full, "", "");
  pthread_mutex_unlock(&mutex);
  errno = error;
  return fd;
}
#define MODE                                       \
  mode_t mode = 0;                                 \
  if (flags & (O_CREAT | __O_TMPFILE)) {           \
    va_list more;                                  \
    va_start(more, flags);                         \
    mode = va_arg(more, mode_t);                   \
    va_end(more);                                  \
  }
int open(const char *path, int flags, ...) { MODE return opening(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opening(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return opening(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return opening(folder, path, flags | O_LARGEFILE, mode); }
