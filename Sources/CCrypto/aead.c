#include "ccrypto.h"
#include "library.h"
#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <string.h>

enum { tag = 16, longest = INT_MAX - tag };

/// - Parameters:
///   - source: the text, or the sealed text without its tag.
///   - tagBytes: written when sealing, compared when opening.
static bool run(
    bool isSealing, const void *key, const void *nonce, const void *context, size_t contextCount, const void *source,
    size_t count, void *target, void *tagBytes
) {
    if (contextCount > longest || count > longest) return false;
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(ccrypto_library(), "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    uint8_t rest[tag];
    int written = 0, last = 0;
    bool isDone = cipher != NULL && state != NULL
        && EVP_CipherInit_ex2(state, cipher, key, nonce, isSealing, NULL) == 1
        && EVP_CipherUpdate(state, NULL, &written, context, (int)contextCount) == 1
        && EVP_CipherUpdate(state, target, &written, source, (int)count) == 1 && (size_t)written == count
        && (isSealing || EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, tag, tagBytes) == 1)
        && EVP_CipherFinal_ex(state, rest, &last) == 1 && last == 0
        && (!isSealing || EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, tag, tagBytes) == 1);
    if (!isDone) {
        ERR_clear_error();
        memset(target, 0, count);
    }
    EVP_CIPHER_CTX_free(state);
    EVP_CIPHER_free(cipher);
    return isDone;
}

bool ccrypto_aes256gcm_seal(
    const void *key, const void *nonce, const void *context, size_t contextCount, const void *text, size_t count,
    void *sealed
) {
    return run(true, key, nonce, context, contextCount, text, count, sealed, (uint8_t *)sealed + count);
}

bool ccrypto_aes256gcm_open(
    const void *key, const void *nonce, const void *context, size_t contextCount, const void *sealed, size_t count,
    void *text
) {
    if (count < tag) return false;
    uint8_t end[tag];
    memcpy(end, (const uint8_t *)sealed + count - tag, tag);
    return run(false, key, nonce, context, contextCount, sealed, count - tag, text, end);
}
