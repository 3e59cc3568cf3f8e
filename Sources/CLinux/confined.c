#define _GNU_SOURCE
#include "clinux_confined.h"

#include <errno.h>

#ifdef __linux__
#include "confined.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESTRICT_SELF = 446, OPEN_PROCESS = 434, CLOSE_RANGE = 436 };

/// What the started process needs to know, made before it: between vfork and execve it may only call the kernel.
struct start {
    const struct clinux_program *program;
    /// The program's path, at a random address.
    char *path;
    /// Descriptors of its own, none below 3.
    int input, output, errors, ruleset;
    pid_t parent;
    /// The index of the instruction that compares with the process ID.
    int own;
    struct sock_fprog filter;
    struct sock_filter instructions[CONFINED_FILTER];
    /// The error that kept it from starting.
    volatile int error;
};

int32_t clinux_seccomp(void) {
    struct sock_filter none[CONFINED_FILTER];
    int own;
    if (!confined_filter(none, NULL, &own)) return ENOSYS;
    // A filter at no address: EFAULT where there are filters.
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1 && errno == EFAULT ? 0 : errno;
}

static _Noreturn void fail(struct start *start) {
    start->error = errno;
    _exit(127);
}

static void reset_signals(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
}

static int limits(int resource, int64_t soft, int64_t hard) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now)) return -1;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < (rlim_t)hard) hard = (int64_t)now.rlim_max;
    struct rlimit then = {(rlim_t)(soft < hard ? soft : hard), (rlim_t)hard};
    return setrlimit((__rlimit_resource_t)resource, &then);
}

static int limit(int resource, int64_t most) { return limits(resource, most, most); }

/// SIGXCPU comes before the SIGKILL of the hard limit, which would look as if the machine were short of memory.
static int limit_processor(int32_t seconds) { return limits(RLIMIT_CPU, seconds, seconds + 2); }

static int set_limits(const struct clinux_program *program) {
    return limit(RLIMIT_AS, program->memory) || limit(RLIMIT_FSIZE, program->file_bytes) ||
           limit_processor(program->processor_seconds) || limit(RLIMIT_CORE, 0) || limit(RLIMIT_NOFILE, 64) ||
           limit(RLIMIT_MEMLOCK, 0) || limit(RLIMIT_MSGQUEUE, 0) || limit(RLIMIT_STACK, 8 << 20);
}

static void close_others(void) {
    if (!syscall(CLOSE_RANGE, 3, ~0U, 0)) return;
    long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = 3; descriptor < (most < 0 || most > 1 << 20 ? 1 << 20 : most); descriptor++) close(descriptor);
}

/// A machine short of memory ends this program before others.
static void prefer_to_be_killed(void) {
    int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    if (write(descriptor, "1000", 4) < 0) errno = 0;
    close(descriptor);
}

/// Runs in the new process, in the memory of the old one, whose thread stands still.
static _Noreturn void become(struct start *start) {
    sigset_t none;
    sigemptyset(&none);
    reset_signals();
    setsid();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || chdir("/")) fail(start);
    if (getppid() != start->parent) _exit(127);
    if (dup2(start->input, 0) < 0 || dup2(start->output, 1) < 0 || dup2(start->errors, 2) < 0) fail(start);
    prefer_to_be_killed();
    if (setpriority(PRIO_PROCESS, 0, start->program->niceness)) fail(start);
    // The descriptors that are open may have numbers above the limit, so closing comes first where it counts.
    int ruleset = start->ruleset;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail(start);
    if (ruleset >= 0 && syscall(RESTRICT_SELF, ruleset, 0)) fail(start);
    close_others();
    if (set_limits(start->program) || sigprocmask(SIG_SETMASK, &none, NULL)) fail(start);
    if (start->filter.len) {
        start->instructions[start->own].k = (uint32_t)getpid();
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &start->filter)) fail(start);
    }
    execve(start->path, start->program->arguments, start->program->environment);
    fail(start);
}

/// Copies a path to a random address. Returns null with errno.
static char *hide(const char *path) {
    uint64_t address = 0;
    if (getrandom(&address, sizeof address, GRND_NONBLOCK) < 0) return NULL;
    // Where 47 bits are a program's; elsewhere the kernel picks another.
    address &= 0x3FFFFFFFF000;
    char *page = mmap((void *)(uintptr_t)address, PATH_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return NULL;
    if (strlen(path) < PATH_MAX) return strcpy(page, path);
    munmap(page, PATH_MAX);
    errno = ENAMETOOLONG;
    return NULL;
}

static int prepare(struct start *start, const struct clinux_program *program) {
    start->program = program;
    start->parent = getpid();
    start->input = fcntl(program->input, F_DUPFD_CLOEXEC, 3);
    start->output = fcntl(program->output, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    start->errors = null < 0 ? -1 : fcntl(null, F_DUPFD_CLOEXEC, 3);
    if (null >= 0) close(null);
    if (start->input < 0 || start->output < 0 || start->errors < 0) return -1;
    int opened = program->opens_input ? start->input : -1;
    start->ruleset = program->uses_landlock ? confined_ruleset(program->path, opened) : -1;
    start->path = hide(program->path);
    if (start->ruleset == -2 || !start->path) return -1;
    start->filter.filter = start->instructions;
    if (!clinux_seccomp())
        start->filter.len = (unsigned short)confined_filter(start->instructions, start->path, &start->own);
    return 0;
}

static void release(struct start *start) {
    int descriptors[] = {start->input, start->output, start->errors, start->ruleset};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0) close(descriptors[i]);
    if (start->path) munmap(start->path, PATH_MAX);
}

/// Starts the process. Signals are blocked meanwhile: a handler must not run in two processes with one memory.
static pid_t begin(struct start *start) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t process = vfork();
    if (!process) become(start);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return process;
}

/// The number of a process's threads; 0 if unknown.
static int threads(pid_t process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count < 0 ? 0 : count] = 0;
    // 17 fields stand between the name, which may contain any character, and the number.
    char *rest = strrchr(text, ')');
    int found = 0;
    if (!rest || sscanf(rest + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d", &found) != 1)
        return 0;
    return found;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/// Waits for the end of the process.
///
/// - Returns: 0, or the reason for which it has to be killed.
static int32_t watch(pid_t process, const struct clinux_program *program) {
    int64_t end = milliseconds() + program->seconds * 1000LL;
    // Kernels before 5.3 have none, and are asked more often.
    struct pollfd ending = {(int)syscall(OPEN_PROCESS, process, 0), POLLIN, 0};
    int32_t reason = 0;
    while (!reason) {
        siginfo_t ended = {0};
        if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) || ended.si_pid == process) break;
        int64_t left = end - milliseconds(), pause = ending.fd < 0 ? 5 : 100;
        if (left <= 0)
            reason = CLINUX_LATE;
        else if (threads(process) > program->threads)
            reason = CLINUX_CROWDED;
        else
            poll(&ending, ending.fd < 0 ? 0 : 1, (int)(left < pause ? left : pause));
    }
    if (ending.fd >= 0) close(ending.fd);
    return reason;
}

int32_t clinux_run(const struct clinux_program *program) {
    struct start start = {.input = -1, .output = -1, .errors = -1, .ruleset = -1};
    pid_t process = prepare(&start, program) ? -1 : begin(&start);
    int error = process < 0 ? errno : start.error;
    release(&start);
    if (process < 0) return CLINUX_NOT_STARTED - error;
    int32_t reason = watch(process, program);
    if (reason) kill(process, SIGKILL);
    int status;
    pid_t reaped;
    while ((reaped = waitpid(process, &status, 0)) < 0 && errno == EINTR) {}
    if (error || reaped < 0) return CLINUX_NOT_STARTED - (error ? error : ECHILD);
    if (reason) return reason;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

#else

int32_t clinux_run(const struct clinux_program *program) {
    (void)program;
    return CLINUX_NOT_STARTED - ENOSYS;
}

int32_t clinux_landlock(void) { return -ENOSYS; }

int32_t clinux_seccomp(void) { return ENOSYS; }

#endif
