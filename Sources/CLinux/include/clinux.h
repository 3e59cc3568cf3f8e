#ifndef CLINUX_H
#define CLINUX_H

/// Has the system begin to write to disk what it holds of a file (Linux's sync_file_range).
///
/// Returns 0, or -1 where it cannot. Nothing is promised: whoever needs that calls fsync.
int clinux_begin_writeback(int descriptor);

/// Gives memory that was allocated and is free back to the system (glibc's malloc_trim).
void clinux_trim_heap(void);

#endif
