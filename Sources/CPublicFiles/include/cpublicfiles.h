#ifndef CPUBLICFILES_H
#define CPUBLICFILES_H

#include <cpublic.h>

#endif
