/// The few elements that matter of an answer in XML. Names of ours and of S3 need no more of a parser.
struct S3XML {
    private let text: Substring

    init(_ text: some StringProtocol) { self.text = Substring(text) }

    /// The contents of each element with this name, in order.
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

    /// The text of the first element of a name.
    func first(_ name: String) -> String? { all(name).first?.plain }

    private var plain: String {
        [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"),
            ("&amp;", "&"),
        ]
        .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
