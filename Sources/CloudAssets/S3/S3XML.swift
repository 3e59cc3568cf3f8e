/// A minimal reader for XML answers, sufficient for the names in use here and in S3.
struct S3XML {
    private let text: Substring

    init(_ text: some StringProtocol) { self.text = Substring(text) }

    /// Contents of all elements with this name, in order.
    func all(_ name: String) -> [S3XML] {
        var (found, rest) = ([S3XML](), text)
        while let begin = rest.firstRange(of: "<\(name)>"),
            let end = rest[begin.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(S3XML(rest[begin.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The text of the first element with this name.
    func first(_ name: String) -> String? { all(name).first?.plain }

    private var plain: String {
        [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"),
            ("&amp;", "&"),
        ]
        .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
