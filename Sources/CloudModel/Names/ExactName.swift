#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A name that compares by its bytes, like names in the store.
///
/// Swift's strings compare by canonical equivalence, which equates composed and decomposed characters such as é.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Returns true if both texts are the same bytes.
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8Span.span.withUnsafeBytes { mine in
                other.utf8Span.span.withUnsafeBytes { theirs in
                    guard let left = mine.baseAddress, let right = theirs.baseAddress else { return mine.isEmpty }
                    return memcmp(left, right, mine.count) == 0
                }
            }
    }

    /// Returns true if both texts are the same bytes; false for nil.
    package func isExactly(_ other: String?) -> Bool { other.map { isExactly($0) } ?? false }
}

extension Sequence<String> {
    /// Returns true if some element has the same bytes as `name`.
    package func containsExactly(_ name: String) -> Bool { contains { $0.isExactly(name) } }
}
