import CloudModel
import TestStore

/// Somebody who tries their hand on records.
enum Visitor: String, CaseIterable {
    case nobody, stranger, creator, member, key

    var caller: Caller {
        switch self {
        case .nobody: .world
        case .stranger: .user(recordName: "_bob")
        case .creator: .user(recordName: "_alice")
        case .member: .user(recordName: "_carol")
        case .key: .serverKey(recordName: "_key")
        }
    }

    /// Every record of the table was made by the creator; what is not there yet was made by nobody; and what is no
    /// longer there may have been anybody's own.
    func hats(_ presence: Deed.Presence) -> Set<String> {
        guard self != .nobody else { return ["_world"] }
        var hats: Set = ["_world", "_icloud"]
        if self == .member { hats.insert("editor") }
        if presence == .gone || presence == .there && self == .creator { hats.insert("_creator") }
        return hats
    }
}

/// The outcome of a deed; `shown` is done, with something that another user has written in the answer.
enum Outcome: Hashable { case done, shown, denied, signIn, empty, conflict, missing, malformed, other }

/// Something to be done with a record.
enum Deed: String, CaseIterable {
    case lookup, query
    case create, forceUpdateOfNew, forceReplaceOfNew, createOfTaken
    case update, replace, delete, forceUpdate, forceReplace, forceDelete
    case updateWithWrongTag, replaceWithWrongTag, deleteWithWrongTag, updateWithoutTag, deleteWithoutTag
    case updateOfNothing, replaceOfNothing, deleteOfNothing, forceDeleteOfNothing

    /// There and seen, not there yet, or not there any more.
    enum Presence { case there, new, gone }

    var presence: Presence {
        switch self {
        case .create, .forceUpdateOfNew, .forceReplaceOfNew, .createOfTaken: .new
        case .updateOfNothing, .replaceOfNothing, .deleteOfNothing, .forceDeleteOfNothing: .gone
        default: .there
        }
    }

    var permission: Permission {
        if self == .lookup || self == .query { return .read }
        return presence == .new ? .create : .write
    }

    /// The outcome where it is permitted.
    var permitted: Outcome {
        switch self {
        case .createOfTaken, .updateWithWrongTag, .replaceWithWrongTag, .deleteWithWrongTag: .conflict
        case .updateWithoutTag, .deleteWithoutTag: .malformed
        case .updateOfNothing, .replaceOfNothing, .deleteOfNothing: .missing
        default: .done
        }
    }

    /// True if the deed keeps the fields that were there before.
    var keepsFields: Bool { self == .update || self == .forceUpdate }

    var operation: OperationType? {
        switch self {
        case .lookup, .query: nil
        case .create, .createOfTaken: .create
        case .update, .updateWithWrongTag, .updateWithoutTag, .updateOfNothing: .update
        case .replace, .replaceWithWrongTag, .replaceOfNothing: .replace
        case .delete, .deleteWithWrongTag, .deleteWithoutTag, .deleteOfNothing: .delete
        case .forceUpdate, .forceUpdateOfNew: .forceUpdate
        case .forceReplace, .forceReplaceOfNew: .forceReplace
        case .forceDelete, .forceDeleteOfNothing: .forceDelete
        }
    }

    var hasItsOwnRecord: Bool { operation != nil && presence == .there }
    var isOfTheSharedRecord: Bool { self == .createOfTaken }
    var sendsTag: Bool { operation.map { [.update, .replace, .delete].contains($0) } == true && !isWithoutTag }
    var sendsWrongTag: Bool { permitted == .conflict && sendsTag }
    private var isWithoutTag: Bool { self == .updateWithoutTag || self == .deleteWithoutTag }
}
