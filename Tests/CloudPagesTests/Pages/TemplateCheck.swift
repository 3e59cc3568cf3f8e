@testable import CloudPages

@_spi(Reflection) import Swift

/// Compares templates with the views that they are shown with.
struct TemplateCheck {
    private let templates: [String: [TemplatePart]]
    /// The values that every template may use.
    private let common: Set<String>
    /// The views that every template may use.
    private let shared: [String: any PageView.Type]
    private(set) var problems: [String] = []
    /// The names that templates use.
    private(set) var used: Set<Name> = []
    private var reached: Set<String> = []

    init(
        _ pages: [any WebPage.Type], templates texts: [String: String], common: Set<String>,
        shared: [String: any PageView.Type] = [:]
    ) {
        templates = texts.mapValues(TemplatePart.parse)
        self.common = common
        self.shared = shared
        for page in pages {
            show(page.template, Scope(page: page.template, stack: [page]))
        }
        for name in texts.keys.sorted() where !reached.contains(name) {
            problems.append("no page has the template '\(name)'")
        }
        var given: Set<Name> = []
        for page in pages { given.formUnion(names(of: page)) }
        for text in given.subtracting(used).map(\.text).sorted() {
            problems.append("no template names '\(text)'")
        }
    }

    /// A name and its view.
    struct Name: Hashable {
        let view: ObjectIdentifier
        let text: String

        init(_ name: String, of view: Any.Type) {
            self.view = ObjectIdentifier(view)
            text = "\(view).\(name)"
        }
    }

    /// The surroundings of a template part.
    private struct Scope {
        let page: String
        /// The types of the values of the sections around it, the innermost last.
        var stack: [Any.Type]
        /// The blocks that a template around it has filled.
        var blocks: [String: [TemplatePart]] = [:]
    }

    private mutating func show(_ template: String, _ scope: Scope) {
        guard let parts = templates[template] else {
            problems.append("\(scope.page): there is no template '\(template)'")
            return
        }
        reached.insert(template)
        show(parts, scope)
    }

    private mutating func show(_ parts: [TemplatePart], _ scope: Scope) {
        for part in parts {
            switch part {
            case .value(let name): _ = find(name, scope)
            case .section(let name, let parts):
                var inside = scope
                if let type = find(name, scope), type != Bool.self { inside.stack.append(type) }
                show(parts, inside)
            case .inverted(let name, let parts):
                _ = find(name, scope)
                show(parts, scope)
            case .partial(let name): show(name, scope)
            case .parent(let name, let blocks):
                var inside = scope
                inside.blocks.merge(blocks) { outer, _ in outer }
                show(name, inside)
            case .block(let name, let parts): show(scope.blocks[name] ?? parts, scope)
            }
        }
    }

    /// The type of the value that a name stands for, of one element where it is a list.
    private mutating func find(_ name: String, _ scope: Scope) -> Any.Type? {
        if name == "." {
            if scope.stack.last != String.self { problems.append("\(scope.page): '.' is no text") }
            return scope.stack.last
        }
        if common.contains(name) { return String.self }
        if let view = shared[name] { return view }
        let parts = name.split(separator: ".").map(String.init)
        var found: Any.Type?
        for (index, part) in parts.enumerated() {
            let views = index == 0 ? Array(scope.stack.reversed()) : [found].compactMap(\.self)
            let named = views.compactMap { view in fields(of: view)[part].map { (view: view, field: $0) } }
            guard let (view, field) = named.first else {
                problems.append("\(scope.page): no view has '\(name)'")
                return nil
            }
            if field.isOptional, named.count > 1 {
                problems.append(
                    "\(scope.page): where '\(view).\(part)' is nil, '\(named[1].view).\(part)' is shown")
            }
            used.insert(Name(part, of: view))
            found = field.type
        }
        return found
    }

    private struct Field {
        /// A list has the type of its elements.
        var type: Any.Type
        let isOptional: Bool
    }

    /// The stored properties of a view; none of anything else.
    private func fields(of type: Any.Type) -> [String: Field] {
        var fields: [String: Field] = [:]
        guard type is any PageView.Type else { return fields }
        _ = _forEachField(of: type) { name, _, type, _ in
            var field = Field(type: type, isOptional: (type as? any Wrapper.Type)?.isOptional == true)
            while let wrapper = field.type as? any Wrapper.Type { field.type = wrapper.wrapped }
            fields[String(cString: name)] = field
            return true
        }
        return fields
    }

    /// The names of a view and its nested views.
    private func names(of view: any PageView.Type) -> [Name] {
        var names: [Name] = []
        for (name, field) in fields(of: view) {
            names.append(Name(name, of: view))
            if let inner = field.type as? any PageView.Type { names += self.names(of: inner) }
        }
        return names
    }
}

/// A type whose values hold values of another.
private protocol Wrapper {
    static var wrapped: Any.Type { get }
    static var isOptional: Bool { get }
}

extension Optional: Wrapper {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
    fileprivate static var isOptional: Bool { true }
}

extension Array: Wrapper {
    fileprivate static var wrapped: Any.Type { Element.self }
    fileprivate static var isOptional: Bool { false }
}
