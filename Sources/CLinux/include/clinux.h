#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>

/// Has the system begin to write to disk what it holds of a file (Linux's sync_file_range).
///
/// Returns 0, or -1 where it cannot. Nothing is promised: whoever needs that calls fsync.
int clinux_begin_writeback(int descriptor);

/// Gives memory that was allocated and is free back to the system (glibc's malloc_trim).
void clinux_trim_heap(void);

/// The beginning of what Linux answers for TCP_INFO; glibc's tcp_info ends before the bytes.
struct clinux_tcp_info {
    uint8_t states[8];
    uint32_t counts[24];
    uint64_t pacing_rate;
    uint64_t max_pacing_rate;
    /// Bytes that the other end has acknowledged.
    uint64_t bytes_acked;
};

#endif
