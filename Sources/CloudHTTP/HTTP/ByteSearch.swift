#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
    /// The first index of a byte. Uses the system's vectorized `memchr`.
    package func place(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }
}
