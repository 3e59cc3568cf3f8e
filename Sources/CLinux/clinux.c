#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int32_t clinux_stream(void) { return SOCK_STREAM; }

#ifdef __APPLE__
#include <copyfile.h>
#include <libproc.h>

int clinux_begin_writeback(int descriptor) {
    (void)descriptor;
    return -1;
}

void clinux_begin_reading(int descriptor, int64_t offset, int64_t count) {
    struct radvisory part = {offset, count > INT32_MAX ? INT32_MAX : (int)count};
    fcntl(descriptor, F_RDADVISE, &part);
}

int clinux_sync_data(int descriptor) { return fcntl(descriptor, F_FULLFSYNC) == -1 ? -1 : 0; }

int clinux_copy(int from, int to) { return fcopyfile(from, to, NULL, COPYFILE_DATA); }

void clinux_trim_heap(void) {}

int clinux_is_connected(int descriptor) {
    (void)descriptor;
    return 1;
}

void clinux_adopt_orphans(void) {}

int clinux_close_from(void *actions, void *attributes, int number) {
    short flags;
    int fault = posix_spawnattr_getflags(attributes, &flags);
    // This closes all but those that are named.
    if (!fault) fault = posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
    for (int kept = 0; !fault && kept < number; kept++)
        fault = posix_spawn_file_actions_addinherit_np(actions, kept);
    return fault;
}

int clinux_children(int32_t *children, int room) {
    int count = proc_listchildpids(getpid(), children, room * (int)sizeof *children);
    return count < 0 ? 0 : count < room ? count : room;
}

int64_t clinux_modified(const void *status) { return ((const struct stat *)status)->st_mtimespec.tv_sec; }

#else
#include <ctype.h>
#include <dirent.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>

int clinux_begin_writeback(int descriptor) { return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }

void clinux_begin_reading(int descriptor, int64_t offset, int64_t count) {
    posix_fadvise(descriptor, offset, count, POSIX_FADV_WILLNEED);
}

int clinux_sync_data(int descriptor) { return fdatasync(descriptor); }

int clinux_copy(int from, int to) {
    while (1) {
        ssize_t copied = sendfile(to, from, NULL, 1 << 30);
        if (copied == 0) return 0;
        if (copied < 0 && errno != EINTR) return -1;
    }
}

void clinux_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int clinux_is_connected(int descriptor) {
    // The first byte of what TCP_INFO answers.
    uint8_t state = TCP_ESTABLISHED;
    socklen_t size = sizeof state;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &state, &size)) return 1;
    return state == TCP_ESTABLISHED;
}

void clinux_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int clinux_close_from(void *actions, void *attributes, int number) {
    (void)attributes;
    return posix_spawn_file_actions_addclosefrom_np(actions, number);
}

/// The parent of a process, by /proc; 0 for one that is gone.
static pid_t parent(const char *process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = 0;
    // After the name, which may have anything in it: the state and the parent.
    char *rest = strrchr(text, ')');
    int found = 0;
    return rest && sscanf(rest + 1, " %*c %d", &found) == 1 ? found : 0;
}

// Of all processes: the list of one thread's children is not on every kernel.
int clinux_children(int32_t *children, int room) {
    int count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && count < room && (entry = readdir(folder));) {
        if (isdigit((unsigned char)entry->d_name[0]) && parent(entry->d_name) == getpid())
            children[count++] = (pid_t)atoi(entry->d_name);
    }
    if (folder) closedir(folder);
    return count;
}

int64_t clinux_modified(const void *status) { return ((const struct stat *)status)->st_mtim.tv_sec; }
#endif
