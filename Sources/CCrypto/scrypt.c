#include "ccrypto.h"
#include "library.h"
#include <openssl/err.h>
#include <openssl/evp.h>

bool ccrypto_scrypt(
    const void *password, size_t passwordCount, const void *salt, size_t saltCount, uint64_t rounds,
    uint64_t blockSize, uint64_t parallelism, uint64_t memory, void *key, size_t keyCount
) {
    bool isDone =
        EVP_PBE_scrypt_ex(
            password, passwordCount, salt, saltCount, rounds, blockSize, parallelism, memory, key, keyCount,
            ccrypto_library(), NULL) == 1;
    if (!isDone) ERR_clear_error();
    return isDone;
}
