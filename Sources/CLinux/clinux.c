#define _GNU_SOURCE
#include "clinux.h"
#include <fcntl.h>
#include <malloc.h>

int clinux_begin_writeback(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
    return -1;
#endif
}

void clinux_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
