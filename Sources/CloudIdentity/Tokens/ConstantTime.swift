import CloudCrypto

extension String {
    /// Returns true if both texts are the same bytes; the time it takes tells nothing about them.
    package func isSecretly(_ other: String) -> Bool {
        SHA256.hash(data: Array(utf8)) == SHA256.hash(data: Array(other.utf8))
    }
}
