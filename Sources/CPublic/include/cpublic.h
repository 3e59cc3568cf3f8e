#ifndef CPUBLIC_H
#define CPUBLIC_H

#include <stddef.h>
#include <stdint.h>

/// One file of `Public`, held in the program.
typedef struct {
    /// Its path below `Public`, such as `static/share.css`.
    const char *path;
    const uint8_t *bytes;
    size_t count;
} cpublic_file;

/// The file at a place in the list of all; its path is NULL past the last.
///
/// CPublicFiles defines it, which only the program and the tests link: a target that depended on CPublicFiles would be
/// compiled again after each edit of a page.
cpublic_file cpublic_file_at(size_t place);

#endif
