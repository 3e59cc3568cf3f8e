import CloudModel
import Testing

@testable import CloudOperations

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

/// Inputs are read from arguments and written to arguments by the same fields.
struct InputTests {
    private static let place: Arguments = ["container": "c", "environment": "development"]

    private func reason<Input: OperationInput>(_ type: Input.Type, _ arguments: Arguments) throws -> String {
        do {
            _ = try Input.fields.read(arguments)
            return ""
        } catch let error as ServerError {
            #expect(error.code == .badRequest)
            return error.reason
        }
    }

    @Test("A missing or empty text is refused, and so is a value of another kind")
    func texts() throws {
        #expect(try reason(NewContainer.self, [:]) == "name is missing")
        #expect(try reason(NewContainer.self, ["name": ""]) == "name is missing")
        #expect(try reason(NewContainer.self, ["name": .null]) == "name is missing")
        #expect(try reason(NewContainer.self, ["name": .integer(1)]) == "name must be a string, not a number")
        #expect(try reason(NewContainer.self, ["name": "a\0"]) == "name must not contain the character U+0000")
        let long = JSONValue.string(String(repeating: "x", count: 4097))
        #expect(try reason(NewContainer.self, ["name": long]) == "name has 4097 bytes, at most 4096 are allowed")
        let backup = JSONValue.string(String(repeating: "x", count: 201))
        #expect(try reason(BackupChoice.self, ["name": backup]) == "name has 201 bytes, at most 200 are allowed")
        #expect(
            try reason(NewUser.self, ["email": "a@b.c", "phone": .bool(true)])
                == "phone must be a string, not a boolean")
    }

    @Test("Numbers outside their limits are refused with the limits")
    func numbers() throws {
        let limit = "limit must be a whole number from 1 to 1000"
        for value: JSONValue in [.integer(0), .integer(1001), "x", .bool(true), .number(1.5)] {
            #expect(try reason(PageChoice.self, ["limit": value]) == limit)
        }
        #expect(try PageChoice.fields.read(["limit": "7"]).limit == 7)
        #expect(try PageChoice.fields.read([:]).limit == 100)
        #expect(try reason(RowChoice.self, [:]) == "id is missing")
        #expect(try reason(RowChoice.self, ["id": "x"]) == "id must be a whole number from 1 to 9223372036854775807")
        #expect(
            try reason(NewManagementToken.self, ["name": "n", "days": .integer(36_501)])
                == "days must be a whole number from 1 to 36500")
        #expect(
            try reason(NumberedPage.self, ["after": .integer(-1)])
                == "after must be a whole number from 0 to 9223372036854775807")
    }

    @Test("A choice is refused with the texts that it may be")
    func choices() throws {
        let place = Self.place
        var wrong = place
        wrong["environment"] = "staging"
        #expect(
            try reason(EnvironmentAddress.self, wrong)
                == "environment must be development or production, not 'staging'")
        #expect(
            try reason(NewOperator.self, ["email": "a@b.c", "role": "boss"])
                == "role must be viewer, editor or owner, not 'boss'")
        #expect(try reason(NewOperator.self, ["email": "a@b.c"]) == "role is missing")
        var test = place
        test.merge(["id": "1", "recordName": "r", "change": "move"])
        #expect(
            try reason(SubscriptionTestChoice.self, test) == "change must be create, update or delete, not 'move'")
        var zone = place
        zone["database"] = "private"
        #expect(try reason(ZoneAddress.self, zone) == "database must be shared or left out, not 'private'")
        var rehearsal = place
        rehearsal.merge(["operation": "records/query", "database": "mine"])
        #expect(
            try reason(RehearsalChoice.self, rehearsal) == "database must be public, private or shared, not 'mine'")
        rehearsal.merge(["operation": "records/drop", "database": "public"])
        #expect(
            try reason(RehearsalChoice.self, rehearsal)
                == "operation must be one of records/modify, records/query, records/lookup, not 'records/drop'")
        rehearsal.merge(["operation": "records/query", "body": "x"])
        #expect(try reason(RehearsalChoice.self, rehearsal) == "body must be an object")
        #expect(
            try reason(NewManagementToken.self, ["name": "n", "scopes": "root"])
                == "scopes: there is no scope 'root'; there are schema, records:read, records:write, people, operations"
        )
    }

    @Test("Flags, lists and JSON are refused by name")
    func others() throws {
        #expect(
            try reason(ContainerSwitches.self, ["container": "c", "strictIndexes": "maybe"])
                == "strictIndexes must be true or false")
        #expect(try ContainerSwitches.fields.read(["container": "c", "strictIndexes": ""]).strictIndexes == true)
        #expect(try reason(NewPageRule.self, ["container": "c"]) == "rule is missing")
        var changes = Self.place
        #expect(try reason(RecordChanges.self, changes) == "operations must be an array")
        changes["operations"] = .array([])
        #expect(try RecordChanges.fields.read(changes).atomic)
        let actions = JSONValue.array(Array(repeating: "x", count: 11))
        #expect(try reason(AuditPage.self, ["action": actions]) == "action has 11 elements, at most 10 are allowed")
        #expect(try reason(AuditPage.self, ["action": .bool(true)]) == "action must be an array, not a boolean")
        #expect(try reason(AuditPage.self, ["action": .array([.null])]) == "action must hold strings, not null")
        #expect(try AuditPage.fields.read(["action": "x"]).actions == ["x"])
        var plan = Self.place
        plan["dryRun"] = "perhaps"
        #expect(try reason(SchemaPlan.self, plan) == "dryRun must be true or false, not 'perhaps'")
        #expect(
            try reason(SchemaImport.self, Self.place) == "the request has no body; it must be a schema's text")
    }

    @Test("An argument that an operation does not take is refused with those that it takes, the path's first")
    func unknown() throws {
        func refusal(_ id: String) throws -> String {
            let route = try #require(OperationCatalogue.all.map(\.route).first { $0.text.id == id })
            do {
                try Arguments(["no such": .bool(true)]).refuseUnknown(route)
                return ""
            } catch { return error.reason }
        }
        let unknown = "there is no parameter 'no such'; this takes "
        #expect(try refusal("listSettings") == unknown + "none")
        #expect(try refusal("listContainers") == unknown + "after, limit")
        #expect(
            try refusal("createAPIToken")
                == unknown + "container, environment, name, allowedOrigins, signInCallback, audiences")
        #expect(
            try refusal("queryZoneRecords")
                == unknown
                + "container, environment, user, zone, database, owner, query, continuationMarker, resultsLimit")
        #expect(try refusal("listMade") == unknown + "id, after, limit")
        #expect(
            try refusal("testSubscription") == unknown + "container, environment, id, user, zone, recordName, change")
        #expect(try refusal("exportUser") == "this route takes no parameters")
        #expect(try refusal("listRoles") == "")
    }

    @Test("The arguments of an input are read back as the same input")
    func roundTrip() throws {
        let address = EnvironmentAddress(container: "c", environment: .production)
        let zone = ZoneAddress(place: address, user: "u", zone: "z", database: .shared, owner: nil)
        let arguments = ZoneAddress.fields.arguments(of: zone)
        #expect(arguments.names == ["container", "environment", "user", "zone", "database"])
        let read = try ZoneAddress.fields.read(arguments)
        #expect(read.place == address && read.user == "u" && read.zone == "z" && read.isShared && read.owner == nil)
        let plan = SchemaPlan(address, dryRun: true, ifTag: "")
        let text = try SchemaImport.fields.read(
            SchemaImport.fields.arguments(of: SchemaImport("DEFINE SCHEMA", plan)))
        #expect(
            text.schema == "DEFINE SCHEMA" && text.plan.dryRun && text.plan.ifTag == "" && text.plan.place == address)
        let changes = RecordChanges(
            zone: ZoneChoice(place: address, user: nil, zone: nil), operations: [.null, "x"], atomic: false)
        let again = try RecordChanges.fields.read(RecordChanges.fields.arguments(of: changes))
        #expect(again.operations == [.null, "x"] && !again.atomic)
    }

    @Test("A draft sets arguments by properties, also by those of an input inside")
    func drafts() throws {
        var draft = InputDraft<NewAPIToken>()
        draft.set(\.place.container, to: "c")
        draft.set(\.place.environment, to: .production)
        draft.set(\.name, to: "n")
        draft.set(\.allowedOrigins, to: ["https://a.example"])
        draft.set(\.signInCallback, to: nil)
        #expect(draft.arguments.names == ["container", "environment", "name", "allowedOrigins"])
        let token = try NewAPIToken.fields.read(draft.arguments)
        #expect(token.place.environment == .production && token.allowedOrigins == ["https://a.example"])
        draft.set(\.place, to: EnvironmentAddress(container: "d", environment: .development))
        #expect(draft.arguments["container"] == "d")
    }

    @Test("Each property has its parameter, a group has none")
    func parameters() {
        #expect(NewAPIToken.fields.parameter(\.place.environment)?.choices == ["development", "production"])
        #expect(NewAPIToken.fields.parameter(\.place) == nil)
        #expect(NewAPIToken.fields.parameter(\.name)?.isRequired == true)
        #expect(SchemaImport.fields.parameter(\.plan.place.container)?.name == "container")
        #expect(NewManagementToken.fields.parameter(\.days)?.kind == .number(1...36_500))
    }
}
