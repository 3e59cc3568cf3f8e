#ifndef LISTS_H
#define LISTS_H

#include <cpublic.h>

// #embed is C23's; clang takes it in C11 too, with this warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// The files of each folder of `Public`, then one without a path.
extern const cpublic_file cpublic_client[], cpublic_static[], cpublic_templates[], cpublic_texts[];

#endif
