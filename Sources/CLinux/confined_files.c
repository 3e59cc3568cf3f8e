#ifdef __linux__
#define _GNU_SOURCE
#include "clinux_confined.h"
#include "confined.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock, as of its interface's version 6. Headers of the system may be older than the kernel.
enum { CREATE_RULESET = 444, ADD_RULE = 445, TELL_VERSION = 1, PATH_BENEATH = 1 };
enum { EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };

struct ruleset {
    uint64_t files, network, scopes;
};

struct __attribute__((packed)) rule {
    uint64_t rights;
    int32_t folder;
};

int32_t clinux_landlock(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);
    return version < 0 ? -errno : (int32_t)version;
}

/// Everything that a version can take from a program.
static struct ruleset everything(int version) {
    struct ruleset all = {(1 << 13) - 1, 0, 0};
    if (version >= 2) all.files |= 1 << 13;  // to move files to other folders
    if (version >= 3) all.files |= 1 << 14;  // to truncate
    if (version >= 5) all.files |= 1 << 15;  // ioctl of devices
    if (version >= 4) all.network = 3;       // to bind and connect TCP
    if (version >= 6) all.scopes = 3;        // abstract sockets and signals of others
    return all;
}

/// Allows reading a file or a folder, if it exists.
static int allow(int ruleset, const char *path) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return 0;
    struct stat status;
    int failed = fstat(descriptor, &status);
    struct rule rule = {EXECUTE | READ_FILE, descriptor};
    if (!failed && S_ISDIR(status.st_mode)) rule.rights |= READ_FOLDER;
    if (!failed) failed = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) != 0;
    int error = errno;
    close(descriptor);
    errno = error;
    return failed ? -1 : 0;
}

/// Allows to read libraries that came with a program, in `lib` beside its folder.
static int allow_own_libraries(int ruleset, const char *program) {
    char real[PATH_MAX], libraries[PATH_MAX + 8];
    if (!realpath(program, real)) return 0;
    snprintf(libraries, sizeof libraries, "%s/../lib", dirname(real));
    return allow(ruleset, libraries);
}

/// Allows to open a file by another name.
static int allow_file(int ruleset, int descriptor) {
    struct rule rule = {READ_FILE, descriptor};
    return syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) ? -1 : 0;
}

int confined_ruleset(const char *program, int input) {
    static const char *const system[] = {
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache",
        "/etc/ld.so.preload", "/sys/devices/system/cpu", "/dev/null", "/dev/urandom",
    };
    int version = clinux_landlock();
    if (version < 0) return -1;
    struct ruleset all = everything(version);
    int ruleset = (int)syscall(CREATE_RULESET, &all, sizeof all, 0);
    if (ruleset < 0) return -2;
    int failed = allow(ruleset, program) || allow_own_libraries(ruleset, program);
    for (size_t i = 0; !failed && i < sizeof system / sizeof *system; i++) failed = allow(ruleset, system[i]);
    if (!failed && input >= 0) failed = allow_file(ruleset, input);
    if (!failed) return ruleset;
    int error = errno;
    close(ruleset);
    errno = error;
    return -2;
}
#endif
