#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>

#include "clinux_confined.h"

// Calls of Linux that Swift does not see, each with what macOS has in its place.
//
// No header of the system is included here: what it declares would be CLinux's to Swift, and no longer be found by files that
// import Glibc alone.

/// Has the system begin to write to disk what it holds of a file (Linux's sync_file_range).
///
/// Returns 0, or -1 where it cannot. Nothing is promised: whoever needs that calls fsync.
int clinux_begin_writeback(int descriptor);

/// Has the system begin to read a part of a file (posix_fadvise, macOS's F_RDADVISE); nothing where it cannot.
void clinux_begin_reading(int descriptor, int64_t offset, int64_t count);

/// Puts a file's bytes on disk, and of what describes it only what reading them needs (fdatasync, macOS's F_FULLFSYNC).
///
/// Returns 0, or -1 with errno.
int clinux_sync_data(int descriptor);

/// Copies the rest of a file to the end of another inside the kernel (sendfile, macOS's fcopyfile).
///
/// Returns 0, or -1 with errno.
int clinux_copy(int from, int to);

/// Gives memory that was allocated and is free back to the system (glibc's malloc_trim).
void clinux_trim_heap(void);

/// Returns 0 where the other end of a TCP connection has closed its side, or the connection has ended, and 1 where not or
/// where the system does not tell.
int clinux_is_connected(int descriptor);

/// The beginning of what Linux answers for TCP_INFO; glibc's tcp_info ends before the bytes.
struct clinux_tcp_info {
    uint8_t states[8];
    uint32_t counts[24];
    uint64_t pacing_rate;
    uint64_t max_pacing_rate;
    /// Bytes that the other end has acknowledged.
    uint64_t bytes_acked;
};

/// Has processes whose parents end become children of this one (Linux's child subreapers); elsewhere they stay the system's.
void clinux_adopt_orphans(void);

/// Has a program that is spawned get no descriptors from a number on, which is 3 or more.
///
/// - Parameters:
///   - actions: a posix_spawn_file_actions_t.
///   - attributes: a posix_spawnattr_t, whose flags are set already.
/// - Returns: 0, or an error's number.
int clinux_close_from(void *actions, void *attributes, int number);

/// The children of this process, as many as there is room for. Returns their number.
int clinux_children(int32_t *children, int room);

/// The second since 1970 in which a file was changed, by its `struct stat`.
int64_t clinux_modified(const void *status);

/// SOCK_STREAM, whose type in Swift is not the same everywhere.
int32_t clinux_stream(void);

#endif
