import CloudModel

/// Parses members of emulator requests. Errors are `BAD_REQUEST` and name the member and its valid values.
enum EmulatorMember {
    static func text(_ name: String, of object: JSONObject) throws -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= 255 else {
            throw ServerError.badRequest("\(known: name): must be a string of 1 to 255 bytes")
        }
        return text
    }

    static func requiredText(_ name: String, of object: JSONObject) throws -> String {
        guard let text = try text(name, of: object) else { throw ServerError.badRequest("\(known: name): is missing") }
        return text
    }

    static func choice(_ name: String, of object: JSONObject, _ choices: [String]) throws -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, choices.contains(text) else {
            throw ServerError.badRequest("\(known: name): must be one of \(known: choices.joined(separator: ", "))")
        }
        return text
    }

    static func flag(_ name: String, of object: JSONObject) throws -> Bool? {
        guard let value = object[name] else { return nil }
        guard case .bool(let flag) = value else {
            throw ServerError.badRequest("\(known: name): must be true or false, not \(known: value.kind)")
        }
        return flag
    }

    static func integer(_ name: String, of object: JSONObject, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = object[name] else { return nil }
        guard let integer = value.integer.flatMap(Int.init(exactly:)), range.contains(integer) else {
            throw ServerError.badRequest(
                "\(known: name): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    static func share(_ name: String, of object: JSONObject) throws -> Double? {
        let number: Double? =
            switch object[name] {
            case nil: nil
            case .integer(let integer): Double(integer)
            case .number(let number): number
            default: .nan
            }
        guard let number else { return nil }
        guard (0...1).contains(number) else {
            throw ServerError.badRequest("\(known: name): must be a number from 0 to 1")
        }
        return number
    }

    /// Refuses members that contradict another member.
    static func refuse(_ names: [String], in object: JSONObject, _ beside: String) throws {
        for member in object.members where names.contains(member.key) {
            throw ServerError.badRequest("\(Naming.shown(member.key)): cannot be used \(known: beside)")
        }
    }

    static func refuseOthers(than known: [String], in object: JSONObject) throws {
        for member in object.members where !known.contains(member.key) {
            throw ServerError.badRequest(
                "'\(Naming.shown(member.key))': unknown member; known are \(known: known.joined(separator: ", "))"
            )
        }
    }
}
