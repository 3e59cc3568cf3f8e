#ifndef CONFINED_H
#define CONFINED_H

#include <stdint.h>

struct sock_filter;

/// The most instructions of a filter.
enum { CONFINED_FILTER = 512 };

/// Writes the filter of a program's system calls.
///
/// - Parameters:
///   - path: the address of the path with which the program is started. No other path starts a program.
///   - own: set to the index of the instruction whose `k` has to become the program's process ID.
/// - Returns: the number of instructions, or 0 on a processor that has no list of calls.
int confined_filter(struct sock_filter *filter, const char *path, int *own);

/// Makes a Landlock ruleset for a program that reads libraries and writes no file.
///
/// - Parameter input: the descriptor of a file that the program may open; -1 for none.
/// - Returns: its descriptor; -1 where the kernel has no Landlock; -2 with errno if it could not be made.
int confined_ruleset(const char *program, int input);

#endif
