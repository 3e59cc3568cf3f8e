import Mustache

/// A value that a template may name: a text, a condition, a view with names of its own, or several of one kind.
protocol PageValue {
    /// The value as the template library takes it; nil for nothing.
    var shown: Any? { get }
}

/// A part of a page: each stored property is a name that a template may use, and nothing else is. A section of the
/// name shows the part.
protocol PageView: PageValue, Sendable {}

/// The view of a whole page.
protocol WebPage: PageView {
    /// The template that shows it: `Public/templates/NAME.mustache`.
    static var template: String { get }

    var title: String { get }
}

extension PageView {
    // Views that a page shows hundreds of answer names on their own, because reflecting takes microseconds.
    var shown: Any? { PageContent(self) }
}

extension String: PageValue {
    var shown: Any? { self }
}

extension Bool: PageValue {
    var shown: Any? { self }
}

extension Optional: PageValue where Wrapped: PageValue {
    var shown: Any? { flatMap(\.shown) }
}

extension Array: PageValue where Element: PageValue {
    var shown: Any? { compactMap(\.shown) }
}

/// A view's property names, mapped to their values for the template library.
///
/// A type rather than a dictionary, because the library casts the content several times per name and casts of a
/// dictionary are slow.
struct PageContent: MustacheParent {
    private var values: [String: Any] = [:]

    /// The stored properties of a view, each under its name.
    init(_ view: some PageView) {
        for child in Mirror(reflecting: view).children {
            guard let name = child.label, let value = (child.value as? any PageValue)?.shown else { continue }
            values[name] = value
        }
    }

    mutating func add(_ more: [String: String]) { values.merge(more) { own, _ in own } }

    func child(named name: String) -> Any? { values[name] }
}
