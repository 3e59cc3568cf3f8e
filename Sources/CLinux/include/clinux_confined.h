#ifndef CLINUX_CONFINED_H
#define CLINUX_CONFINED_H

#include <stdint.h>

// Programs that read what strangers sent, with no rights but those that reading takes. Linux alone; elsewhere none is started.

/// A program to start, and its bounds.
struct clinux_program {
    /// The path of its file.
    const char *path;
    /// Its arguments, from its own name to a null pointer.
    char *const *arguments;
    /// Its environment, `NAME=value`, to a null pointer.
    char *const *environment;
    /// Descriptors that become its standard input and output.
    int32_t input, output;
    /// Whether Landlock is used where the kernel has it.
    int32_t uses_landlock;
    /// Whether the program may open its input anew, as `/proc/self/fd/0`, for a position of its own.
    int32_t opens_input;
    /// Its niceness (setpriority); only root may give less than its own.
    int32_t niceness;
    /// The most threads it may have; looked at ten times a second.
    int32_t threads;
    /// Seconds until it is killed, and seconds of processor time.
    int32_t seconds, processor_seconds;
    /// Bytes of address space, and of a file that it writes.
    int64_t memory, file_bytes;
};

/// What clinux_run returns for a program that was killed for its time, and for its number of threads.
enum { CLINUX_LATE = -1000, CLINUX_CROWDED = -1001 };

/// What clinux_run returns for a program that was not started, less the number of the error.
enum { CLINUX_NOT_STARTED = -2000 };

/// Starts a program and waits for its end. It ends at the latest with the calling thread.
///
/// It may read its input and the system's libraries, write to its output, and start threads; docs/decisions/confinement.md
/// tells the rest.
///
/// - Returns: its exit status, the negative number of the signal that killed it, or one of the values above.
int32_t clinux_run(const struct clinux_program *program);

/// The version of Landlock's interface, or the negative number of the error with which the kernel refuses to tell.
int32_t clinux_landlock(void);

/// 0 if the kernel filters system calls of programs (seccomp), or the number of an error.
int32_t clinux_seccomp(void);

#endif
