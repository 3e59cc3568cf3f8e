#ifndef LIBRARY_H
#define LIBRARY_H

#include <openssl/types.h>

/// The context of libcrypto that this program uses, with the providers built in; the machine's openssl.cnf does not count.
OSSL_LIB_CTX *ccrypto_library(void);

#endif
