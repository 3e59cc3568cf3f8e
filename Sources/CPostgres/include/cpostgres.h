#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
// Debian's place.
#include <postgresql/libpq-fe.h>
#elif __has_include("/opt/homebrew/opt/libpq/include/libpq-fe.h")
#include "/opt/homebrew/opt/libpq/include/libpq-fe.h"
#else
#error "libpq-fe.h is missing: install libpq-dev (Debian) or libpq (Homebrew)"
#endif

/// Loads libpq, which the program does not link, so that it also runs where no PostgreSQL is installed.
///
/// To be called before any of libpq's functions; at the first call only is there something to do.
///
/// - Returns: NULL, or what is missing: the loader's words.
const char *cpostgres_load(void);

#endif
