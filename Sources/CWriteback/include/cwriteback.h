#ifndef CWRITEBACK_H
#define CWRITEBACK_H

/// Has the system begin to write to disk what it holds of a file (Linux's sync_file_range, which Swift does not see).
///
/// Returns 0, or -1 where it cannot. Nothing is promised: whoever needs that calls fsync.
int cwriteback_begin(int descriptor);

#endif
