#ifdef __linux__
#define _GNU_SOURCE
#include "confined.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/// Calls that are allowed whatever their arguments are: they act on the program itself and its descriptors, or read what
/// Landlock lets them read. The commonest are first.
static const uint16_t allowed[] = {
    __NR_read,
    __NR_futex,
    __NR_write,
    __NR_lseek,
    __NR_close,
    __NR_mmap,
    __NR_mprotect,
    __NR_munmap,
    __NR_brk,
    __NR_madvise,
    __NR_mremap,
    __NR_pread64,
    __NR_pwrite64,
    __NR_readv,
    __NR_writev,
    __NR_preadv,
    __NR_pwritev,
    __NR_fstat,
    __NR_newfstatat,
    __NR_statx,
    __NR_statfs,
    __NR_fstatfs,
    __NR_ftruncate,
    __NR_fadvise64,
    __NR_faccessat,
    439,  // faccessat2
    __NR_readlinkat,
    __NR_getdents64,
    __NR_getcwd,
    __NR_dup,
    __NR_dup3,
    __NR_pipe2,
    __NR_eventfd2,
    __NR_ppoll,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_set_tid_address,
    __NR_set_robust_list,
    __NR_get_robust_list,
    __NR_rseq,
    __NR_membarrier,
    449,  // futex_waitv
    454,  // futex_wake
    455,  // futex_wait
    456,  // futex_requeue
    __NR_exit,
    __NR_exit_group,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_sched_getparam,
    __NR_sched_getscheduler,
    __NR_sched_getattr,
    __NR_sched_get_priority_max,
    __NR_sched_get_priority_min,
    __NR_getcpu,
    __NR_nanosleep,
    __NR_clock_nanosleep,
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_gettimeofday,
    __NR_times,
    __NR_getrusage,
    __NR_getrlimit,
    __NR_sysinfo,
    __NR_uname,
    __NR_getrandom,
    __NR_getpid,
    __NR_gettid,
    __NR_getppid,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
#ifdef __x86_64__
    __NR_stat,
    __NR_lstat,
    __NR_access,
    __NR_readlink,
    __NR_getdents,
    __NR_dup2,
    __NR_pipe,
    __NR_poll,
    __NR_time,
    __NR_arch_prctl,
#endif
};

static const uint32_t controls[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
/// The last is PR_SET_VMA, by which newer glibc names its memory.
static const uint32_t properties[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41};

/// A filter that grows.
struct filter {
    struct sock_filter *instructions;
    int count;
};

static void add(struct filter *filter, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value) {
    filter->instructions[filter->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct filter *filter, size_t offset) {
    add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void answer(struct filter *filter, uint32_t action) { add(filter, BPF_RET | BPF_K, 0, 0, action); }

/// Answers if the loaded word equals the value.
static void answer_if(struct filter *filter, uint32_t value, uint32_t action) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    answer(filter, action);
}

/// Answers if the loaded word has any of the bits.
static void answer_if_any(struct filter *filter, uint32_t bits, uint32_t action) {
    add(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    answer(filter, action);
}

/// Begins the rules of one call and ends them in the returned index, which `end` takes.
static int begin(struct filter *filter, uint32_t number) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, number);
    return filter->count - 1;
}

/// Ends the rules of one call with the answer to all other arguments.
static void end(struct filter *filter, int begun, uint32_t action) {
    answer(filter, action);
    filter->instructions[begun].jf = (uint8_t)(filter->count - begun - 1);
}

static size_t low(int argument) { return offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(uint64_t); }

static size_t high(int argument) { return low(argument) + sizeof(uint32_t); }

static uint32_t refusal(int error) { return SECCOMP_RET_ERRNO | (uint32_t)error; }

static void allow_values(
    struct filter *filter, uint32_t number, int argument, const uint32_t *values, size_t count
) {
    int begun = begin(filter, number);
    load(filter, low(argument));
    for (size_t i = 0; i < count; i++) answer_if(filter, values[i], SECCOMP_RET_ALLOW);
    end(filter, begun, refusal(EINVAL));
}

/// Allows a call unless a flag is among the bits.
static void allow_without(struct filter *filter, uint32_t number, int argument, uint32_t bits, int error) {
    int begun = begin(filter, number);
    load(filter, low(argument));
    answer_if_any(filter, bits, refusal(error));
    end(filter, begun, SECCOMP_RET_ALLOW);
}

/// Files are opened to be read, whether or not Landlock is there to say which.
static void filter_files(struct filter *filter) {
    // O_TMPFILE needs one of the modes for writing.
    uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
    allow_without(filter, __NR_openat, 2, writing, EACCES);
#ifdef __x86_64__
    allow_without(filter, __NR_open, 1, writing, EACCES);
#endif
    allow_values(filter, __NR_fcntl, 1, controls, sizeof controls / sizeof *controls);
}

/// Allows threads; no other process is started or signalled.
static int filter_processes(struct filter *filter, const char *path) {
    int begun = begin(filter, __NR_clone);
    load(filter, low(0));
    answer_if_any(
        filter,
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
        refusal(EPERM));
    answer_if_any(filter, CLONE_THREAD, SECCOMP_RET_ALLOW);
    end(filter, begun, refusal(EPERM));

    begun = begin(filter, __NR_tgkill);
    load(filter, low(0));
    int own = filter->count;
    answer_if(filter, 0, SECCOMP_RET_ALLOW);
    end(filter, begun, refusal(EPERM));

    // The path stands at an address that the program does not know: a wrong guess ends it.
    begun = begin(filter, __NR_execve);
    load(filter, low(0));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, (uint32_t)(uintptr_t)path);
    load(filter, high(0));
    answer_if(filter, (uint32_t)((uint64_t)(uintptr_t)path >> 32), SECCOMP_RET_ALLOW);
    end(filter, begun, SECCOMP_RET_KILL_PROCESS);

    // Its own limits are told, and not changed.
    begun = begin(filter, __NR_prlimit64);
    for (int argument = 0; argument <= 2; argument += 2) {
        load(filter, low(argument));
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
        answer(filter, refusal(EPERM));
    }
    load(filter, high(2));
    answer_if(filter, 0, SECCOMP_RET_ALLOW);
    end(filter, begun, refusal(EPERM));

    allow_values(filter, __NR_prctl, 0, properties, sizeof properties / sizeof *properties);
    return own;
}

int confined_filter(struct sock_filter *instructions, const char *path, int *own) {
    struct filter filter = {instructions, 0};
    load(&filter, offsetof(struct seccomp_data, arch));
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
    load(&filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // x32, whose calls have other numbers and the same architecture.
    add(&filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) answer_if(&filter, allowed[i], SECCOMP_RET_ALLOW);
    filter_files(&filter);
    *own = filter_processes(&filter, path);
    // As a kernel answers that is too old for the call: libraries know another way, or that there is none.
    answer(&filter, refusal(ENOSYS));
    return filter.count;
}

#else

int confined_filter(struct sock_filter *instructions, const char *path, int *own) {
    (void)instructions;
    (void)path;
    (void)own;
    return 0;
}

#endif
#endif
