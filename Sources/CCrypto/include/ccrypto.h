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

/// Writes the digest of a message: 48 bytes of SHA-384, or 64 of SHA-512.
bool ccrypto_sha384(const void *message, size_t count, void *digest);
bool ccrypto_sha512(const void *message, size_t count, void *digest);

/// Derives a key with scrypt (RFC 7914). False for parameters out of its range, and when memory is short.
///
/// - Parameter memory: the most bytes it may take.
bool ccrypto_scrypt(
    const void *password, size_t passwordCount, const void *salt, size_t saltCount, uint64_t rounds,
    uint64_t blockSize, uint64_t parallelism, uint64_t memory, void *key, size_t keyCount);

/// Seals a text with AES-256-GCM: writes as many bytes as the text has, then a tag of 16 bytes. False when memory is short.
///
/// - Parameters:
///   - key: 32 bytes.
///   - nonce: 12 bytes, which no other text has under this key.
///   - context: bytes that the tag covers too.
bool ccrypto_aes256gcm_seal(
    const void *key, const void *nonce, const void *context, size_t contextCount, const void *text, size_t count,
    void *sealed);
/// Opens a sealed text, and writes 16 bytes fewer. False for a changed text, another key or another context.
bool ccrypto_aes256gcm_open(
    const void *key, const void *nonce, const void *context, size_t contextCount, const void *sealed, size_t count,
    void *text);

/// A key of the curve P-256. Threads may share one.
typedef struct ccrypto_p256 ccrypto_p256;

/// Reads a public key from a point of X9.63, compressed or not. NULL for bytes that are no point of the curve.
ccrypto_p256 *ccrypto_p256_read(const void *point, size_t count);
/// Reads a private key from a PrivateKeyInfo (RFC 5958) in DER, without trailing bytes. NULL for other bytes and for other
/// curves.
ccrypto_p256 *ccrypto_p256_read_private(const void *der, size_t count);
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

/// A public key. Threads may share one.
typedef struct ccrypto_key ccrypto_key;

/// Reads an RSA key from big-endian numbers without leading zeros. NULL for a modulus below 2,048 or above 8,192 bits, an even
/// number, and an exponent of 1 or above 32 bits.
ccrypto_key *ccrypto_rsa_read(const void *modulus, size_t modulusCount, const void *exponent, size_t exponentCount);
/// Reads a point of P-384 in X9.63 encoding, not compressed: 97 bytes. NULL for bytes that are no point of the curve.
ccrypto_key *ccrypto_p384_read(const void *point, size_t count);
/// Reads an Ed25519 key of 32 bytes.
ccrypto_key *ccrypto_ed25519_read(const void *bytes, size_t count);
void ccrypto_key_free(ccrypto_key *key);

/// Checks an RSA signature of a message.
///
/// - Parameters:
///   - digest: the name of the hash function: "SHA256", "SHA384" or "SHA512".
///   - isPSS: PSS with a salt as long as the digest; otherwise PKCS #1 v1.5.
bool ccrypto_rsa_verify(
    const ccrypto_key *key, const char *digest, bool isPSS, const void *message, size_t count, const void *signature,
    size_t signatureCount);
/// Checks an ECDSA signature of a message with SHA-384: r and s, 48 bytes each.
bool ccrypto_p384_verify(const ccrypto_key *key, const void *message, size_t count, const void *signature);
/// Checks an Ed25519 signature of 64 bytes.
bool ccrypto_ed25519_verify(const ccrypto_key *key, const void *message, size_t count, const void *signature);

#endif
