// Does what a decoder could do that a picture has taken over: `attacker WAY ARGUMENTS…`, or `attacker-WAY` by a link to it.
//
// Each attempt writes a line: its name, and `done` or the number of the error.

#define _GNU_SOURCE
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void tell(const char *name, long result) {
    int error = errno;
    if (result < 0)
        printf("%s %d\n", name, error);
    else
        printf("%s done\n", name);
    fflush(stdout);
}

static void files(const char *path) {
    char other[4200];
    snprintf(other, sizeof other, "%s.other", path);
    tell("read", open(path, O_RDONLY));
    tell("list", open(path, O_RDONLY | O_DIRECTORY));
    tell("write", open(path, O_WRONLY));
    tell("append", open(path, O_RDWR | O_APPEND));
    tell("empty", open(path, O_WRONLY | O_TRUNC));
    tell("create", open(other, O_WRONLY | O_CREAT, 0600));
    tell("truncate", truncate(path, 0));
    tell("remove", unlink(path));
    tell("rename", rename(path, other));
    tell("link", link(path, other));
    tell("symlink", symlink(path, other));
    tell("folder", mkdir(other, 0700));
    tell("pipe", mknod(other, S_IFIFO | 0600, 0));
    tell("mode", chmod(path, 0777));
    tell("owner", chown(path, getuid(), getgid()));
    tell("times", syscall(SYS_utimensat, AT_FDCWD, path, NULL, 0));
    tell("attribute", syscall(SYS_setxattr, path, "user.a", "b", 1, 0));
    tell("input again", open("/proc/self/fd/0", O_RDWR));
    tell("input", write(0, "x", 1));
    tell("output again", open("/proc/self/fd/1", O_WRONLY));
    tell("folder of", chdir("/tmp"));
}

static void sockets(void) {
    static const struct {
        const char *name;
        int family, kind;
    } kinds[] = {
        {"inet", AF_INET, SOCK_STREAM},     {"inet6", AF_INET6, SOCK_STREAM},  {"udp", AF_INET, SOCK_DGRAM},
        {"unix", AF_UNIX, SOCK_STREAM},     {"netlink", AF_NETLINK, SOCK_RAW}, {"packet", AF_PACKET, SOCK_RAW},
        {"vsock", AF_VSOCK, SOCK_STREAM},   {"alg", AF_ALG, SOCK_SEQPACKET},
    };
    int pair[2];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        tell(kinds[i].name, socket(kinds[i].family, kinds[i].kind, 0));
    tell("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

/// Calls that no decoder makes; their arguments would fail in other ways than by a filter.
static void calls(void) {
    static const struct {
        const char *name;
        long number;
    } numbers[] = {
        {"ptrace", SYS_ptrace},
        {"process_vm_readv", SYS_process_vm_readv},
        {"process_vm_writev", SYS_process_vm_writev},
        {"mount", SYS_mount},
        {"umount2", SYS_umount2},
        {"pivot_root", SYS_pivot_root},
        {"chroot", SYS_chroot},
        {"bpf", SYS_bpf},
        {"perf_event_open", SYS_perf_event_open},
        {"keyctl", SYS_keyctl},
        {"add_key", SYS_add_key},
        {"kexec_load", SYS_kexec_load},
        {"io_uring_setup", 425},
        {"io_uring_enter", 426},
        {"io_uring_register", 427},
        {"unshare", SYS_unshare},
        {"setns", SYS_setns},
        {"personality", SYS_personality},
        {"userfaultfd", SYS_userfaultfd},
        {"memfd_create", SYS_memfd_create},
        {"open_by_handle_at", SYS_open_by_handle_at},
        {"seccomp", SYS_seccomp},
        {"execveat", SYS_execveat},
        {"clone3", 435},
        {"pidfd_open", 434},
        {"openat2", 437},
        {"init_module", SYS_init_module},
        {"ioctl", SYS_ioctl},
        {"setrlimit", SYS_setrlimit},
        {"sched_setaffinity", SYS_sched_setaffinity},
        {"setpriority", SYS_setpriority},
        {"shmget", SYS_shmget},
        {"mq_open", SYS_mq_open},
        {"timer_create", SYS_timer_create},
        {"setuid", SYS_setuid},
        {"reboot", SYS_reboot},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        errno = 0;
        tell(numbers[i].name, syscall(numbers[i].number, 0, 0, 0, 0, 0, 0));
    }
}

/// What a call with some arguments may do and with others not.
static void arguments(void) {
    struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
    tell("limit of its own", prlimit(0, RLIMIT_NOFILE, &most, NULL));
    tell("limit of another", prlimit(getppid(), RLIMIT_NOFILE, NULL, &most));
    tell("told limit", prlimit(0, RLIMIT_NOFILE, NULL, &most));
    tell("signal", kill(getppid(), 0));
    tell("thread signal", syscall(SYS_tgkill, getppid(), getppid(), 0));
    tell("own signal", syscall(SYS_tgkill, getpid(), getpid(), 0));
    tell("owner of input", fcntl(0, F_SETOWN, getppid()));
    tell("signal of input", fcntl(0, F_SETSIG, SIGKILL));
    tell("privileges", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
    tell("death signal", prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
    tell("name", prctl(PR_SET_NAME, "other", 0, 0, 0));
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tell("executable", mprotect(memory, 4096, PROT_READ | PROT_EXEC));
    memory = mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tell("writable and executable", memory == MAP_FAILED ? -1 : 0);
    tell("fork", fork());
    tell("vfork by number", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    tell("namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static void descriptors(void) {
    for (int descriptor = 0; descriptor < 1 << 20; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0) printf("%d\n", descriptor);
}

static void *nothing(void *argument) {
    poll(NULL, 0, -1);
    return argument;
}

static void *spin(void *argument) {
    for (volatile unsigned i = 0;; i++) {}
    return argument;
}

static void threads(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, &attributes, nothing, NULL);
    }
}

static void memory(void) {
    size_t total = 0;
    for (char *block; (block = malloc(1 << 20)); total++) memset(block, 1, 1 << 20);
    printf("%zu\n", total);
}

static void fill(void) {
    static char block[1 << 20];
    for (;;)
        if (write(1, block, sizeof block) < 0) _exit(3);
}

static void environment(void) {
    for (char **variable = environ; *variable; variable++) puts(*variable);
}

static void priority(void) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t rest[32];
    } attributes = {0};
    syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0);
    printf("%d\n", attributes.nice);
}

int main(int count, char **words) {
    const char *link = strstr(words[0], "attacker-");
    const char *way = link ? link + strlen("attacker-") : count > 1 ? words[1] : "";
    if (!strcmp(way, "files") && count > 2)
        files(words[2]);
    else if (!strcmp(way, "sockets"))
        sockets();
    else if (!strcmp(way, "calls"))
        calls();
    else if (!strcmp(way, "arguments"))
        arguments();
    else if (!strcmp(way, "descriptors"))
        descriptors();
    else if (!strcmp(way, "environment"))
        environment();
    else if (!strcmp(way, "priority"))
        priority();
    else if (!strcmp(way, "run") && count > 2)
        tell("run", execv(words[2], words + 2));
#ifdef __x86_64__
    else if (!strcmp(way, "old")) {
        int number = 20;
        __asm__ volatile("int $0x80" : "+a"(number) : : "memory");
    } else if (!strcmp(way, "x32"))
        tell("x32", syscall(0x40000000 | SYS_getpid));
#endif
    else if (!strcmp(way, "threads"))
        threads();
    else if (!strcmp(way, "memory"))
        memory();
    else if (!strcmp(way, "spin"))
        spin(NULL);
    else if (!strcmp(way, "hang"))
        for (;;) poll(NULL, 0, -1);
    else if (!strcmp(way, "crash"))
        abort();
    else if (!strcmp(way, "fall"))
        *(volatile int *)8 = 1;
    else if (!strcmp(way, "nothing"))
        return 0;
    else if (!strcmp(way, "fill"))
        fill();
    else if (!strcmp(way, "lie"))
        puts("<!doctype html><script>1</script>");
    else if (!strcmp(way, "process"))
        printf("%d\n", getpid());
    else
        return 9;
    return 0;
}
#else
int main(void) { return 9; }
#endif
