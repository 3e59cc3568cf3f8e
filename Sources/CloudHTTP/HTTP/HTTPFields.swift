/// HTTP headers in order.
package struct HTTPFields: Hashable, Sendable {
    private var fields: [HTTPField] = []
    /// A bitmap of present known names, to skip searches for absent names.
    private var present: UInt64 = 0

    package init() {}

    package init(_ fields: some Sequence<HTTPField>) { append(contentsOf: fields) }

    package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    package mutating func append(_ field: HTTPField) {
        present |= Self.bit(field.name)
        fields.append(field)
    }

    package mutating func append(contentsOf fields: some Sequence<HTTPField>) {
        for field in fields { append(field) }
    }

    package func contains(_ name: HTTPField.Name) -> Bool { index(of: name) != nil }

    /// True if any named header is present.
    package func containsAny(of names: [HTTPField.Name]) -> Bool { names.contains { contains($0) } }

    /// The value of a header, several values joined into a list; nil if absent.
    package subscript(_ name: HTTPField.Name) -> String? {
        get {
            guard let first = index(of: name) else { return nil }
            let more = fields[(first + 1)...].lazy.filter { $0.name == name }.map(\.value)
            if more.isEmpty { return fields[first].value }
            let separator = name == .cookie ? "; " : ", "
            return ([fields[first].value] + more).joined(separator: separator)
        }
        set {
            guard let newValue else {
                if contains(name) { self[values: name] = [] }
                return
            }
            if contains(name) {
                self[values: name] = [newValue]
            } else {
                append(HTTPField(name: name, value: newValue))
            }
        }
    }

    /// All values of a header, in order.
    package subscript(values name: HTTPField.Name) -> [String] {
        get {
            guard let first = index(of: name) else { return [] }
            return fields[first...].lazy.filter { $0.name == name }.map(\.value)
        }
        set {
            guard let first = index(of: name) else {
                for value in newValue { append(HTTPField(name: name, value: value)) }
                return
            }
            if newValue.count == 1, !fields[(first + 1)...].contains(where: { $0.name == name }) {
                fields[first] = HTTPField(name: name, value: newValue[0])
                return
            }
            fields.removeAll { $0.name == name }
            if name.known != 0 { present &= ~Self.bit(name) }
            fields.insert(contentsOf: newValue.map { HTTPField(name: name, value: $0) }, at: first)
            if !newValue.isEmpty { present |= Self.bit(name) }
        }
    }

    /// Calls `body` for each header in order, without copying them.
    func withEach(_ body: (borrowing HTTPField) -> Void) {
        fields.withUnsafeBufferPointer { fields in
            for index in fields.indices { body(fields[index]) }
        }
    }

    /// The size of all headers as lines, in bytes.
    var room: Int {
        var room = 0
        withEach { room += $0.name.rawName.utf8.count + $0.value.utf8.count + 4 }
        return room
    }

    private func index(of name: HTTPField.Name) -> Int? {
        if name.known != 0 {
            guard present & Self.bit(name) != 0 else { return nil }
            return fields.withUnsafeBufferPointer { fields in
                for index in fields.indices where fields[index].name.known == name.known { return index }
                return nil
            }
        }
        return fields.firstIndex { $0.name == name }
    }

    private static func bit(_ name: HTTPField.Name) -> UInt64 { 1 << UInt64(name.known) }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields.reserveCapacity(elements.count)
        for (name, value) in elements { append(HTTPField(name: name, value: value)) }
    }
}

extension HTTPFields: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { fields.count }
    package subscript(position: Int) -> HTTPField { fields[position] }
}
