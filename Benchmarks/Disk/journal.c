/* Preloaded into the server: writes down what it does to the files of one folder, in order, so that a reader of the
 * journal knows what a disk may hold after a power cut, and which syncs came before an answer.
 *
 *   DISK_ROOT=folder     what is written down; a name that ends in "-shm" is not, it is memory
 *   DISK_JOURNAL=file    where to, outside the folder; syncs are written down and not done
 *   DISK_ROOM=bytes      how much may be written to the folder's files before the disk is full
 *   DISK_KILLS=1         has the program be killed then, in place of finding the disk full
 *   DISK_READONLY=1      has the folder be one of a disk that is mounted to be read
 *   DISK_HOLD=file       has writes wait from then on for as long as the file is there; one that waits makes file.held
 *
 * The journal is a sequence of entries: a head, and `length` bytes. Numbers are the machine's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct head {
    uint32_t type, length;
    uint64_t a, b, c;
};

/* CREATE and FOLDER: in folder a, file b by the name given. WRITE: to file a at b. TRUNCATE: file a to b bytes.
 * SYNC: of file a begins, with number b; SYNCED: that one has ended. RENAME: file c from folder a to folder b, both
 * names with a zero between. REMOVE: the name from folder a. LINK: a name in folder a for file b. ANSWER: bytes are
 * about to leave through a socket. */
enum { CREATE = 1, FOLDER, WRITE, TRUNCATE, SYNC, SYNCED, RENAME, REMOVE, LINK, ANSWER };

#define MOST_FILES (1 << 20)

static char root[PATH_MAX];
static int journal = -1;
static atomic_llong room = LLONG_MAX;
static int kills, isReadOnly;
static char hold[PATH_MAX];
static atomic_ullong syncs;
static unsigned char below[MOST_FILES]; /* descriptors of the folder's files */
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define REAL(name, result, ...) static result (*real_##name)(__VA_ARGS__)
REAL(open, int, const char *, int, ...);
REAL(close, int, int);
REAL(write, ssize_t, int, const void *, size_t);
REAL(pwrite, ssize_t, int, const void *, size_t, off_t);
REAL(writev, ssize_t, int, const struct iovec *, int);
REAL(send, ssize_t, int, const void *, size_t, int);
REAL(sendmsg, ssize_t, int, const struct msghdr *, int);
REAL(sendfile, ssize_t, int, int, off_t *, size_t);
REAL(ftruncate, int, int, off_t);
REAL(fsync, int, int);
REAL(fdatasync, int, int);
REAL(rename, int, const char *, const char *);
REAL(unlink, int, const char *);
REAL(unlinkat, int, int, const char *, int);
REAL(rmdir, int, const char *);
REAL(mkdir, int, const char *, mode_t);
REAL(link, int, const char *, const char *);

static void begin(void) {
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)
    FIND(open); FIND(close); FIND(write); FIND(pwrite); FIND(writev); FIND(send); FIND(sendmsg); FIND(sendfile);
    FIND(ftruncate); FIND(fsync); FIND(fdatasync); FIND(rename); FIND(unlink); FIND(unlinkat); FIND(rmdir);
    FIND(mkdir); FIND(link);
    const char *folder = getenv("DISK_ROOT"), *file = getenv("DISK_JOURNAL"), *bytes = getenv("DISK_ROOM");
    if (!folder) return;
    snprintf(root, sizeof root, "%s", folder);
    if (bytes) room = atoll(bytes);
    kills = getenv("DISK_KILLS") != NULL;
    isReadOnly = getenv("DISK_READONLY") != NULL;
    const char *held = getenv("DISK_HOLD");
    if (held) snprintf(hold, sizeof hold, "%s", held);
    if (!file) return;
    journal = real_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    /* Far from the numbers that programs hand to those they start. */
    int far = fcntl(journal, F_DUPFD_CLOEXEC, 900);
    if (far >= 0) { real_close(journal); journal = far; }
}

static void ready(void) { pthread_once(&once, begin); }

static void note(uint32_t type, uint64_t a, uint64_t b, uint64_t c, const void *bytes, size_t length) {
    if (journal < 0) return;
    int code = errno;
    struct head head = {type, (uint32_t)length, a, b, c};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
    ssize_t written = real_writev(journal, parts, 2);
    if (written != (ssize_t)(sizeof head + length)) abort();
    errno = code;
}

/* The path as an absolute one, when it is below the folder. */
static const char *inside(const char *path, char *whole) {
    if (!root[0] || !path) return NULL;
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here)) return NULL;
        if (snprintf(whole, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return NULL;
    } else if (snprintf(whole, PATH_MAX, "%s", path) >= PATH_MAX) return NULL;
    size_t length = strlen(root), end = strlen(whole);
    while (end > 1 && whole[end - 1] == '/') whole[--end] = 0;
    if (strncmp(whole, root, length) || (whole[length] && whole[length] != '/')) return NULL;
    if (end > 4 && !strcmp(whole + end - 4, "-shm")) return NULL;
    return whole;
}

static uint64_t number(const char *path) {
    struct stat status;
    return lstat(path, &status) ? 0 : status.st_ino;
}

static uint64_t numberOf(int file) {
    struct stat status;
    return fstat(file, &status) ? 0 : status.st_ino;
}

/* The last part of a path, and the number of the folder it is in. */
static const char *place(const char *path, uint64_t *folder) {
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    *slash = 0;
    *folder = number(slash == parent ? "/" : parent);
    return path + (slash - parent) + 1;
}

static void noteName(uint32_t type, const char *path, uint64_t file) {
    uint64_t folder;
    const char *name = place(path, &folder);
    note(type, folder, file, 0, name, strlen(name));
}

static int isBelow(int file) { return file >= 0 && file < MOST_FILES && below[file]; }

/* Whether a change of a path is refused; NULL is a path elsewhere. */
static int isRefused(const char *known) {
    if (!known || !isReadOnly) return 0;
    errno = EROFS;
    return 1;
}

/* Waits while the file that holds writes up is there. */
static void wait_(void) {
    char mark[PATH_MAX + 8];
    snprintf(mark, sizeof mark, "%s.held", hold);
    int code = errno, file = real_open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) real_close(file);
    while (!access(hold, F_OK)) usleep(5000);
    errno = code;
}

/* Takes so many bytes from the room there is. */
static int fits(size_t count) {
    long long left = atomic_fetch_sub(&room, (long long)count) - (long long)count;
    if (left >= 0 || room > LLONG_MAX / 2) return 1;
    if (hold[0]) { wait_(); return 1; }
    if (kills) raise(SIGKILL);
    errno = ENOSPC;
    return 0;
}

static void noteAnswer(int file) {
    struct stat status;
    if (journal >= 0 && !fstat(file, &status) && S_ISSOCK(status.st_mode)) note(ANSWER, 0, 0, 0, NULL, 0);
}

int open(const char *path, int flags, ...) {
    ready();
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    char whole[PATH_MAX];
    const char *known = inside(path, whole);
    int isNew = known && (flags & O_CREAT) && access(path, F_OK);
    if ((isNew || flags & (O_WRONLY | O_RDWR | O_TRUNC)) && isRefused(known)) return -1;
    int file = real_open(path, flags, mode);
    if (file < 0 || file >= MOST_FILES) return file;
    below[file] = known != NULL;
    if (isNew) noteName(CREATE, known, numberOf(file));
    else if (known && (flags & O_TRUNC)) note(TRUNCATE, numberOf(file), 0, 0, NULL, 0);
    return file;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open(path, flags, mode);
}

int close(int file) {
    ready();
    if (file >= 0 && file < MOST_FILES) below[file] = 0;
    if (file == journal && journal >= 0) return 0;
    return real_close(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    ready();
    if (!isBelow(file)) { noteAnswer(file); return real_write(file, bytes, count); }
    if (!fits(count)) return -1;
    ssize_t written = real_write(file, bytes, count);
    if (written > 0) note(WRITE, numberOf(file), lseek(file, 0, SEEK_CUR) - written, 0, bytes, written);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    ready();
    if (!isBelow(file)) return real_pwrite(file, bytes, count, at);
    if (!fits(count)) return -1;
    ssize_t written = real_pwrite(file, bytes, count, at);
    if (written > 0) note(WRITE, numberOf(file), at, 0, bytes, written);
    return written;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, at); }

ssize_t writev(int file, const struct iovec *parts, int count) {
    ready();
    if (isBelow(file)) {
        /* One part; the caller goes on with the rest. */
        return count > 0 ? write(file, parts[0].iov_base, parts[0].iov_len) : 0;
    }
    noteAnswer(file);
    return real_writev(file, parts, count);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    ready();
    noteAnswer(file);
    return real_send(file, bytes, count, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    ready();
    noteAnswer(file);
    return real_sendmsg(file, message, flags);
}

ssize_t sendfile(int to, int from, off_t *at, size_t count) {
    ready();
    if (!isBelow(to)) { noteAnswer(to); return real_sendfile(to, from, at, count); }
    char bytes[1 << 16];
    off_t start = at ? *at : lseek(from, 0, SEEK_CUR);
    ssize_t got = pread(from, bytes, count < sizeof bytes ? count : sizeof bytes, start);
    if (got <= 0) return got;
    ssize_t written = write(to, bytes, got);
    if (written > 0) { if (at) *at += written; else lseek(from, start + written, SEEK_SET); }
    return written;
}

ssize_t sendfile64(int to, int from, off64_t *at, size_t count) { return sendfile(to, from, at, count); }

int ftruncate(int file, off_t length) {
    ready();
    int result = real_ftruncate(file, length);
    if (!result && isBelow(file)) note(TRUNCATE, numberOf(file), length, 0, NULL, 0);
    return result;
}

int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

static int sync_(int file, int (*real)(int)) {
    if (!isBelow(file) || journal < 0) return real(file);
    uint64_t one = numberOf(file), turn = ((uint64_t)getpid() << 32) | ++syncs;
    note(SYNC, one, turn, 0, NULL, 0);
    note(SYNCED, one, turn, 0, NULL, 0);
    return 0;
}

int fsync(int file) { ready(); return sync_(file, real_fsync); }
int fdatasync(int file) { ready(); return sync_(file, real_fdatasync); }

int rename(const char *old, const char *new) {
    ready();
    char oldWhole[PATH_MAX], newWhole[PATH_MAX];
    const char *from = inside(old, oldWhole), *to = inside(new, newWhole);
    if (isRefused(from) || isRefused(to)) return -1;
    int result = real_rename(old, new);
    if (result || !from || !to) return result;
    uint64_t fromFolder, toFolder;
    const char *fromName = place(from, &fromFolder), *toName = place(to, &toFolder);
    char names[2 * PATH_MAX];
    int length = snprintf(names, sizeof names, "%s%c%s", fromName, 0, toName);
    note(RENAME, fromFolder, toFolder, number(to), names, length);
    return result;
}

int unlink(const char *path) {
    ready();
    char whole[PATH_MAX];
    const char *known = inside(path, whole);
    if (isRefused(known)) return -1;
    int result = real_unlink(path);
    if (!result && known) noteName(REMOVE, known, 0);
    return result;
}

int rmdir(const char *path) {
    ready();
    char whole[PATH_MAX];
    const char *known = inside(path, whole);
    if (isRefused(known)) return -1;
    int result = real_rmdir(path);
    if (!result && known) noteName(REMOVE, known, 0);
    return result;
}

int unlinkat(int folder, const char *name, int flags) {
    ready();
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = folder == AT_FDCWD || name[0] == '/' ? -1 : readlink(link, path, sizeof path - 1);
    if (length < 0) return flags & AT_REMOVEDIR ? rmdir(name) : unlink(name);
    snprintf(path + length, sizeof path - length, "/%s", name);
    return flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
}

int mkdir(const char *path, mode_t mode) {
    ready();
    char whole[PATH_MAX];
    const char *known = inside(path, whole);
    if (known && access(path, F_OK) && isRefused(known)) return -1;
    int result = real_mkdir(path, mode);
    if (!result && known) noteName(FOLDER, known, number(known));
    return result;
}

int link(const char *old, const char *new) {
    ready();
    char whole[PATH_MAX];
    const char *known = inside(new, whole);
    int result = real_link(old, new);
    if (!result && known) noteName(LINK, known, number(known));
    return result;
}
