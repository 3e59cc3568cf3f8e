#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The parts of OpenSSL's libcrypto that CloudCrypto needs, without OpenSSL's own headers.

/// A digest on its way: the bytes of OpenSSL's SHA256_CTX. A copy goes on by itself.
typedef struct { uint64_t words[14]; } ccrypto_sha256;

void ccrypto_sha256_begin(ccrypto_sha256 *state);
void ccrypto_sha256_update(ccrypto_sha256 *state, const void *bytes, size_t count);
/// Ends the digest and writes its 32 bytes.
void ccrypto_sha256_end(ccrypto_sha256 *state, void *digest);

/// The bytes of OpenSSL's SHA_CTX.
typedef struct { uint64_t words[12]; } ccrypto_sha1;

void ccrypto_sha1_begin(ccrypto_sha1 *state);
void ccrypto_sha1_update(ccrypto_sha1 *state, const void *bytes, size_t count);
/// Ends the digest and writes its 20 bytes.
void ccrypto_sha1_end(ccrypto_sha1 *state, void *digest);

/// Derives a key with scrypt (RFC 7914). False for parameters out of its range, and when memory is short.
///
/// - Parameter memory: the most bytes it may take.
bool ccrypto_scrypt(
    const void *password, size_t passwordCount, const void *salt, size_t saltCount, uint64_t rounds,
    uint64_t blockSize, uint64_t parallelism, uint64_t memory, void *key, size_t keyCount);

/// A key of the curve P-256. Threads may share one.
typedef struct ccrypto_p256 ccrypto_p256;

/// Reads a public key from a point of X9.63, compressed or not. NULL for bytes that are no point of the curve.
ccrypto_p256 *ccrypto_p256_read(const void *point, size_t count);
/// Makes a private key. NULL when memory or randomness is short.
ccrypto_p256 *ccrypto_p256_make(void);
void ccrypto_p256_free(ccrypto_p256 *key);
/// Writes the 65 bytes of the public key's point, not compressed.
bool ccrypto_p256_point(const ccrypto_p256 *key, void *point);

/// Checks the signature of a digest of 32 bytes: 64 bytes, r and s.
bool ccrypto_p256_verify(const ccrypto_p256 *key, const void *digest, const void *signature);
/// Signs a digest of 32 bytes. False for a key that is public.
bool ccrypto_p256_sign(const ccrypto_p256 *key, const void *digest, void *signature);

/// Reads a signature in DER. False for bytes that are not exactly that.
bool ccrypto_signature_read(const void *der, size_t count, void *signature);
/// Writes a signature in DER, 72 bytes at most, and returns their number; 0 when memory is short.
size_t ccrypto_signature_write(const void *signature, void *der);

#endif
