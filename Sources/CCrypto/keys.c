#include "ccrypto.h"
#include "library.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

enum { p384Half = 48, p384Point = 97, longestP384DER = 104, ed25519Key = 32, ed25519Signature = 64 };
enum { fewestModulusBits = 2048, mostModulusBits = 8192, mostExponentBits = 32 };

static EVP_PKEY *inside(const ccrypto_key *key) { return (EVP_PKEY *)key; }

static EVP_PKEY *read_key(const char *kind, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(ccrypto_library(), kind, NULL);
    if (context == NULL || parameters == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        ERR_clear_error();
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

ccrypto_key *ccrypto_rsa_read(
    const void *modulus, size_t modulusCount, const void *exponent, size_t exponentCount
) {
    const uint8_t *first = modulus, *firstOfExponent = exponent;
    if (modulusCount == 0 || modulusCount > mostModulusBits / 8 || *first == 0) return NULL;
    if (exponentCount == 0 || exponentCount > mostExponentBits / 8 || *firstOfExponent == 0) return NULL;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulusCount, NULL), *e = BN_bin2bn(exponent, (int)exponentCount, NULL);
    EVP_PKEY *key = NULL;
    if (n != NULL && e != NULL && BN_num_bits(n) >= fewestModulusBits && BN_is_odd(n) && BN_is_odd(e) && !BN_is_one(e)) {
        OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
        OSSL_PARAM *parameters = NULL;
        if (builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
            && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
            parameters = OSSL_PARAM_BLD_to_param(builder);
        key = read_key("RSA", parameters);
        OSSL_PARAM_free(parameters);
        OSSL_PARAM_BLD_free(builder);
    }
    BN_free(n);
    BN_free(e);
    return (ccrypto_key *)key;
}

ccrypto_key *ccrypto_p384_read(const void *point, size_t count) {
    if (count != p384Point || *(const uint8_t *)point != 4) return NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "secp384r1", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count),
        OSSL_PARAM_construct_end(),
    };
    return (ccrypto_key *)read_key("EC", parameters);
}

ccrypto_key *ccrypto_ed25519_read(const void *bytes, size_t count) {
    if (count != ed25519Key) return NULL;
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key_ex(ccrypto_library(), "ED25519", NULL, bytes, count);
    if (key == NULL) ERR_clear_error();
    return (ccrypto_key *)key;
}

void ccrypto_key_free(ccrypto_key *key) { EVP_PKEY_free(inside(key)); }

/// - Parameter digest: NULL where the algorithm has its own.
static bool verify(
    const ccrypto_key *key, const char *digest, bool isPSS, const void *message, size_t count, const void *signature,
    size_t signatureCount
) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *options = NULL;
    bool isReady = context != NULL
        && EVP_DigestVerifyInit_ex(context, &options, digest, ccrypto_library(), NULL, inside(key), NULL) == 1;
    if (isReady && isPSS) {
        isReady = EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1;
    }
    bool isValid = isReady && EVP_DigestVerify(context, signature, signatureCount, message, count) == 1;
    if (!isValid) ERR_clear_error();
    EVP_MD_CTX_free(context);
    return isValid;
}

bool ccrypto_rsa_verify(
    const ccrypto_key *key, const char *digest, bool isPSS, const void *message, size_t count, const void *signature,
    size_t signatureCount
) {
    return verify(key, digest, isPSS, message, count, signature, signatureCount);
}

bool ccrypto_p384_verify(const ccrypto_key *key, const void *message, size_t count, const void *signature) {
    const uint8_t *source = signature;
    uint8_t der[longestP384DER], *end = der;
    ECDSA_SIG *made = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(source, p384Half, NULL), *s = BN_bin2bn(source + p384Half, p384Half, NULL);
    int length = 0;
    if (made != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(made, r, s) == 1) {
        length = i2d_ECDSA_SIG(made, &end);
    } else {
        ERR_clear_error();
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(made);
    return length > 0 && verify(key, "SHA384", false, message, count, der, (size_t)length);
}

bool ccrypto_ed25519_verify(const ccrypto_key *key, const void *message, size_t count, const void *signature) {
    return verify(key, NULL, false, message, count, signature, ed25519Signature);
}
