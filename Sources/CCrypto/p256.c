#include "ccrypto.h"
#include "library.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

enum { half = 32, point = 65, longestDER = 72 };

static EVP_PKEY *inside(const ccrypto_p256 *key) { return (EVP_PKEY *)key; }

ccrypto_p256 *ccrypto_p256_read(const void *bytes, size_t count) {
    // One byte of zero would be the point at infinity, and a first byte of 6 or 7 a form that nobody uses.
    const uint8_t *first = bytes;
    if (!(count == point && *first == 4) && !(count == half + 1 && (*first == 2 || *first == 3))) return NULL;
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(ccrypto_library(), "EC", NULL);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)bytes, count),
        OSSL_PARAM_construct_end(),
    };
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        ERR_clear_error();
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return (ccrypto_p256 *)key;
}

static bool is_private(EVP_PKEY *key) {
    char group[32];
    size_t length = 0;
    bool isOfCurve = EVP_PKEY_is_a(key, "EC") == 1
        && EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, &length) == 1
        && strcmp(group, "prime256v1") == 0;
    EVP_PKEY_CTX *context = isOfCurve ? EVP_PKEY_CTX_new_from_pkey(ccrypto_library(), key, NULL) : NULL;
    // Also compares the public key that the text may bring with the private one.
    bool isWhole = context != NULL && EVP_PKEY_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return isWhole;
}

ccrypto_p256 *ccrypto_p256_read_private(const void *der, size_t count) {
    if (count > 1024) return NULL;
    const uint8_t *start = der, *end = start;
    PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &end, (long)count);
    EVP_PKEY *key = info != NULL && end == start + count ? EVP_PKCS82PKEY_ex(info, ccrypto_library(), NULL) : NULL;
    PKCS8_PRIV_KEY_INFO_free(info);
    if (key != NULL && !is_private(key)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    if (key == NULL) ERR_clear_error();
    return (ccrypto_p256 *)key;
}

ccrypto_p256 *ccrypto_p256_make(void) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(ccrypto_library(), NULL, "EC", "P-256");
    if (key == NULL) ERR_clear_error();
    return (ccrypto_p256 *)key;
}

void ccrypto_p256_free(ccrypto_p256 *key) { EVP_PKEY_free(inside(key)); }

bool ccrypto_p256_point(const ccrypto_p256 *key, void *bytes) {
    uint8_t x[half], y[half];
    BIGNUM *x_number = NULL, *y_number = NULL;
    bool isRead = EVP_PKEY_get_bn_param(inside(key), OSSL_PKEY_PARAM_EC_PUB_X, &x_number) == 1
        && EVP_PKEY_get_bn_param(inside(key), OSSL_PKEY_PARAM_EC_PUB_Y, &y_number) == 1
        && BN_bn2binpad(x_number, x, half) == half && BN_bn2binpad(y_number, y, half) == half;
    if (isRead) {
        uint8_t *target = bytes;
        target[0] = 4;
        memcpy(target + 1, x, half);
        memcpy(target + 1 + half, y, half);
    } else {
        ERR_clear_error();
    }
    BN_free(x_number);
    BN_free(y_number);
    return isRead;
}

bool ccrypto_p256_verify(const ccrypto_p256 *key, const void *digest, const void *signature) {
    uint8_t der[longestDER];
    size_t count = ccrypto_signature_write(signature, der);
    if (count == 0) return false;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(ccrypto_library(), inside(key), NULL);
    bool isValid = context != NULL && EVP_PKEY_verify_init(context) == 1
        && EVP_PKEY_verify(context, der, count, digest, half) == 1;
    if (!isValid) ERR_clear_error();
    EVP_PKEY_CTX_free(context);
    return isValid;
}

bool ccrypto_p256_sign(const ccrypto_p256 *key, const void *digest, void *signature) {
    uint8_t der[longestDER];
    size_t count = sizeof der;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(ccrypto_library(), inside(key), NULL);
    bool isSigned = context != NULL && EVP_PKEY_sign_init(context) == 1
        && EVP_PKEY_sign(context, der, &count, digest, half) == 1;
    if (!isSigned) ERR_clear_error();
    EVP_PKEY_CTX_free(context);
    return isSigned && ccrypto_signature_read(der, count, signature);
}

bool ccrypto_signature_read(const void *der, size_t count, void *signature) {
    if (count > longestDER) return false;
    const uint8_t *end = der;
    ECDSA_SIG *read = d2i_ECDSA_SIG(NULL, &end, (long)count);
    uint8_t *target = signature, again[longestDER];
    bool isRead = read != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(read), target, half) == half
        && BN_bn2binpad(ECDSA_SIG_get0_s(read), target + half, half) == half;
    if (!isRead) ERR_clear_error();
    ECDSA_SIG_free(read);
    // A length in more bytes than it needs is read too, and is no DER.
    return isRead && ccrypto_signature_write(signature, again) == count && memcmp(again, der, count) == 0;
}

size_t ccrypto_signature_write(const void *signature, void *der) {
    const uint8_t *source = signature;
    ECDSA_SIG *made = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(source, half, NULL), *s = BN_bin2bn(source + half, half, NULL);
    int count = 0;
    if (made != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(made, r, s) == 1) {
        uint8_t *end = der;
        count = i2d_ECDSA_SIG(made, &end);
    } else {
        ERR_clear_error();
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(made);
    return count > 0 ? (size_t)count : 0;
}
