import Mustache

/// A template value: a text, a condition, a nested view, or a list.
package protocol PageValue {
    /// The value in the template library's form; nil for nothing.
    var shown: Any? { get }
}

/// A part of a page. Each stored property is a name in the template; a section with the name shows the part.
package protocol PageView: PageValue, Sendable {}

/// A whole page.
package protocol WebPage: PageView {
    /// The page's template: `Public/templates/NAME.mustache`.
    static var template: String { get }

    var title: String { get }
}

extension PageView {
    // Views shown hundreds of times implement `child(named:)` themselves, because reflection takes microseconds.
    package var shown: Any? { PageContent(self) }
}

extension String: PageValue {
    package var shown: Any? { self }
}

extension Bool: PageValue {
    package var shown: Any? { self }
}

extension Optional: PageValue where Wrapped: PageValue {
    package var shown: Any? { flatMap(\.shown) }
}

extension Array: PageValue where Element: PageValue {
    package var shown: Any? { compactMap(\.shown) }
}

/// A view's property names, mapped to their values for the template library.
///
/// A type rather than a dictionary, because the library casts the content several times per name and casts of a
/// dictionary are slow.
struct PageContent: MustacheParent {
    private var values: [String: Any] = [:]

    /// A view's stored properties, keyed by name.
    init(_ view: some PageView) {
        for child in Mirror(reflecting: view).children {
            guard let name = child.label, let value = (child.value as? any PageValue)?.shown else { continue }
            values[name] = value
        }
    }

    mutating func add(_ more: [String: Any]) { values.merge(more) { own, _ in own } }

    func child(named name: String) -> Any? { values[name] }
}
