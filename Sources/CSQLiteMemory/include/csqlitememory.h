#ifndef CSQLITEMEMORY_H
#define CSQLITEMEMORY_H

#include <sqlite3.h>

/// Has SQLite not count the memory it takes (sqlite3_config, which Swift cannot call).
///
/// Returns SQLITE_OK, or SQLITE_MISUSE once the process has used SQLite.
int csqlitememory_leave_uncounted(void);

#endif
