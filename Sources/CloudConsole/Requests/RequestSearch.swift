import CloudHTTP
import CloudModel

/// A search for requests. The form of a word decides whether it names a code, a user, a route or a container.
struct RequestSearch {
    struct Word: Equatable {
        enum Kind: String {
            case code, user, route, container
        }

        let kind: Kind
        let text: String

        init(_ text: String) {
            self.text = text
            kind = Self.kind(of: text)
        }

        private static func kind(of text: String) -> Kind {
            if ServerError.Code(rawValue: text.uppercased()) != nil { return .code }
            if text.hasPrefix("_") { return .user }
            return text.contains("/") ? .route : .container
        }
    }

    /// The last word of each kind.
    let words: [Word]

    init(_ text: String) {
        var kinds: Set<Word.Kind> = []
        words = text.split(separator: " ").reversed().map { Word(String($0)) }
            .filter { kinds.insert($0.kind).inserted }.reversed()
    }

    /// The search text for an address; nil for none.
    var text: String? { words.isEmpty ? nil : words.map(\.text).joined(separator: " ") }

    /// The search without a word.
    func without(_ word: Word) -> String? {
        let rest = words.filter { $0 != word }.map(\.text)
        return rest.isEmpty ? nil : rest.joined(separator: " ")
    }

    /// Selects requests that match every word, without the console's own requests.
    var filter: RequestFilter {
        var filter = RequestFilter()
        filter.leavesOutConsole = true
        for word in words {
            switch word.kind {
            case .code: filter.code = ServerError.Code(rawValue: word.text.uppercased())
            case .user: filter.user = word.text
            case .route: filter.route = word.text
            case .container: filter.container = word.text
            }
        }
        return filter
    }
}
