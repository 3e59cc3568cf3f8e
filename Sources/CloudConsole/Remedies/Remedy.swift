import CloudModel

/// A remedy for a refusal, with links to the console pages that apply it.
struct Remedy: Hashable, Sendable {
    enum Way: Hashable, Sendable {
        case record, schema, deploy, person, actAs, shares, settings, emulator
    }

    let text: String
    let ways: [Way]

    init(_ text: String, _ ways: Way...) {
        self.text = text
        self.ways = ways
    }
}

extension Cause {
    var remedy: Remedy {
        switch self {
        case .input: Remedy("Compare the body with openapi.yaml, which has the form of every request.", .actAs)
        case .address: Remedy("Compare method, path and host with openapi.yaml and the settings.", .settings)
        case .credentials(let fault): fault.remedy
        case .place(let fault): fault.remedy
        case .schema(let fault): fault.remedy
        case .permission:
            Remedy(
                "Grant the permission in the schema to a role that the user has, or give the user one of those roles.",
                .schema, .person, .actAs)
        case .share(let fault): fault.remedy
        case .index(let fault): fault.remedy
        case .conflict(let check): check.remedy
        case .missing(let thing): thing.missingRemedy
        case .taken(let thing):
            Remedy("Use the \(thing.rawValue) that is there, or choose another name.")
        case .reference(.target): Remedy("Save the target first, or in the same batch.")
        case .reference(.holder): Remedy("Delete the record that refers to it first, or in the same batch.")
        case .position(.unknown): Remedy("The app drops the token and reads from the beginning.")
        case .position(.lost):
            Remedy("The app drops the token, reads from the beginning and saves again what the restore has undone.")
        case .limit(let reached): reached.remedy
        case .atomic(let culprit):
            Remedy(
                "Correct \(culprit.map { "operation \($0)" } ?? "the operation that failed"). The batch is saved as a whole."
            )
        case .server(let trouble): trouble.remedy
        }
    }
}

extension Cause.TargetFault {
    fileprivate var remedy: Remedy {
        switch self {
        case .container: Remedy("Correct the container in the path, or make it with 'cumulus container create'.")
        case .environment: Remedy("The path names development or production.")
        case .database: Remedy("Call the route in a database that has it, by the path.")
        }
    }
}

extension SchemaFault {
    fileprivate var remedy: Remedy {
        switch self {
        case .unknownType: Remedy("Correct the type's name, or add the type to the schema.", .schema)
        case .unknownField: Remedy("Correct the field's name, or add the field to the schema.", .schema)
        case .closed(.development): Remedy("Add the type or field to the schema.", .schema)
        case .closed(.production):
            Remedy("Add the type or field in development, then deploy the schema.", .deploy, .schema)
        case .type: Remedy("Send a value of the type in the schema, or use a field of another name.", .schema)
        case .builtIn: Remedy("Leave the built-in name out of the change.", .schema)
        case .changed: Remedy("Read the schema again, and repeat the change if it still fits.", .schema)
        case .text: Remedy("Correct the text where the reason says.", .schema)
        case .loss: Remedy("Keep the type or field in the schema, or empty it before.", .schema)
        }
    }
}

extension IndexFault {
    fileprivate var remedy: Remedy {
        switch self {
        case .unmarked(let type, let field, let mark):
            Remedy(
                "Mark \(field.map { "'\($0)'" } ?? "a field of '\(type)'") \(mark) in development. "
                    + "Deploying the schema brings the mark to production.", .schema, .deploy)
        case .building: Remedy("Wait until the index is built. Nothing else has to be done.", .schema)
        case .tooMuch: Remedy("Filter by a field that has an index, or add one to the schema.", .schema)
        }
    }
}

extension ConflictCheck {
    fileprivate var remedy: Remedy {
        guard let stored else {
            return Remedy("The app creates the record anew, or drops its change: the record is not there.")
        }
        return Remedy(
            "The app takes serverRecord from the answer, merges its changes and saves again with tag \(stored).",
            .record)
    }
}

extension LimitReached {
    fileprivate var remedy: Remedy {
        guard let setting else { return Remedy("Send less in one request. This number is no setting.") }
        return Remedy("Send less at once, or raise \(setting).", .settings)
    }
}
