import CloudCrypto

extension SHA256 {
    /// The digest of a text in UTF-8.
    static func hash(of text: String) -> SHA256Digest {
        var (text, sha) = (text, SHA256())
        text.withUTF8 { sha.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return sha.finalize()
    }
}
