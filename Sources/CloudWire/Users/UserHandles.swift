import CloudAccounts
import CloudModel

/// Keys in a lookup info (reference B §5.0).
enum UserHandleKey: String {
    case email = "emailAddress"
    case phone = "phoneNumber"
    case recordName = "userRecordName"

    func handle(_ text: String) -> UserHandle {
        switch self {
        case .email: .email(text)
        case .phone: .phone(text)
        case .recordName: .recordName(text)
        }
    }
}

extension DatabaseCall {
    /// Parses the user handles in a request; a single object counts as a list (reference A §1.3).
    func handles(_ key: String, named names: [UserHandleKey]) throws(ServerError) -> [UserHandle] {
        let entries: [JSONValue]
        switch body[key] {
        case nil: throw .badRequest("\(known: key): missing; it must be an array")
        case .array(let array)?: entries = array
        case .object(let object)?: entries = [.object(object)]
        case let other?: throw .badRequest("\(known: key): must be an array, not \(known: other.kind)")
        }
        guard entries.count <= limits.usersPerRequest else {
            throw .badRequest(
                "\(known: key): \(entries.count) entries, and a request may have \(limits.usersPerRequest)",
                .limit(limits.usersPerRequest, "limit.usersPerRequest"))
        }
        var handles: [UserHandle] = []
        handles.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            handles.append(try Self.handle(entry, named: names, at: "\(key)[\(index)]"))
        }
        return handles
    }

    private static func handle(
        _ entry: JSONValue, named names: [UserHandleKey], at place: String
    ) throws(ServerError) -> UserHandle {
        guard let object = entry.object else {
            throw .badRequest("\(known: place): must be an object, not \(known: entry.kind)")
        }
        for name in names {
            guard let value = object[name.rawValue] else { continue }
            guard let text = value.string else {
                throw .badRequest("\(known: place).\(known: name.rawValue): must be a string, not \(known: value.kind)")
            }
            return name.handle(text)
        }
        throw .badRequest("\(known: place): needs \(known: names.map(\.rawValue).joined(separator: " or "))")
    }
}
