// The functions of one digest are deprecated for those that look an algorithm up by name and allocate a state for each
// digest, which takes longer than to hash a token.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "ccrypto.h"
#include "library.h"
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

_Static_assert(sizeof(ccrypto_sha256) == sizeof(SHA256_CTX), "the state of SHA-256 has another size");
_Static_assert(sizeof(ccrypto_sha1) == sizeof(SHA_CTX), "the state of SHA-1 has another size");

void ccrypto_sha256_begin(ccrypto_sha256 *state) { SHA256_Init((SHA256_CTX *)state); }

void ccrypto_sha256_update(ccrypto_sha256 *state, const void *bytes, size_t count) {
    SHA256_Update((SHA256_CTX *)state, bytes, count);
}

void ccrypto_sha256_end(ccrypto_sha256 *state, void *digest) { SHA256_Final(digest, (SHA256_CTX *)state); }

void ccrypto_sha1_begin(ccrypto_sha1 *state) { SHA1_Init((SHA_CTX *)state); }

void ccrypto_sha1_update(ccrypto_sha1 *state, const void *bytes, size_t count) {
    SHA1_Update((SHA_CTX *)state, bytes, count);
}

void ccrypto_sha1_end(ccrypto_sha1 *state, void *digest) { SHA1_Final(digest, (SHA_CTX *)state); }

static bool hash(const char *name, const void *message, size_t count, void *digest) {
    bool isDone = EVP_Q_digest(ccrypto_library(), name, NULL, message, count, digest, NULL) == 1;
    if (!isDone) ERR_clear_error();
    return isDone;
}

bool ccrypto_sha384(const void *message, size_t count, void *digest) { return hash("SHA384", message, count, digest); }

bool ccrypto_sha512(const void *message, size_t count, void *digest) { return hash("SHA512", message, count, digest); }
