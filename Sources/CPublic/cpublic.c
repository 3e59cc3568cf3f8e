#include "cpublic.h"
