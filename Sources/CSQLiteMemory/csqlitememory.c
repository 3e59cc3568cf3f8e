#include "csqlitememory.h"

int csqlitememory_leave_uncounted(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
