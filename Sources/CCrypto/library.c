#include "library.h"
#include <openssl/crypto.h>
#include <pthread.h>

static OSSL_LIB_CTX *library;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void) {
    // Threads may still work while the program exits: nothing is freed under them.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    library = OSSL_LIB_CTX_new();
}

OSSL_LIB_CTX *ccrypto_library(void) {
    pthread_once(&made, make);
    return library;
}
