#define _GNU_SOURCE
#include "cwriteback.h"
#include <fcntl.h>

int cwriteback_begin(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
    return -1;
#endif
}
