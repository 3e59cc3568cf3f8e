import CloudAccounts
import CloudModel
import CloudStore

/// Operations on an environment's schema. A schema travels as text (reference A §11.3), with a tag as its `ETag`.
package enum SchemaOperations {
    package static let export = AdminOperation<EnvironmentAddress, SchemaExport>(
        .get("schema", .schema, inside: .environment).unknown(.ignored),
        OperationText(
            "exportSchema", "The schema as text.",
            "The text has all record types, the built-in types too, with their fields, indexes and grants, and the roles."
        )
    ) { call, input in
        let schema = try await call.schemaPlace(input).store.schema.current()
        return SchemaExport(text: SchemaText.text(schema), tag: schema.tag)
    }

    /// Replaces development's schema by the schema in the text.
    package static let importText = AdminOperation<SchemaImport, SchemaOutcome>(
        .put("schema", .schema, inside: .environment).unknown(.ignored),
        OperationText(
            "importSchema", "Replace development's schema by the schema in the body.",
            """
            The text is a full description: types and fields that it leaves out are deleted with their data, except \
            built-in types. A text without a type or field of production is refused, and `reason` names all of them. \
            Development only. A grant of READ on an existing type also needs records:read, a grant of CREATE or WRITE \
            records:write.
            """),
        audit: .change(importing)
    ) { call, input in
        let (text, limits) = (input.schema, call.workplace.limits)
        guard text.utf8.count <= limits.schemaBytes else {
            throw ServerError(
                .quotaExceeded,
                "the schema's text has \(text.utf8.count) bytes, at most \(limits.schemaBytes) are allowed "
                    + "(limit.schemaBytes)", .limit(limits.schemaBytes, "limit.schemaBytes"))
        }
        let schema = try SchemaParser.parse(text)
        if let fault = schema.fault(limits) { throw ServerError.badRequest(fault) }
        let plan = input.plan
        return try await SchemaWork(plan, call).change { work in
            try await work.store().schema.apply(
                schema, production: work.production(), dryRun: plan.dryRun, ifTag: plan.ifTag, permit: work.permit)
        }
    }

    /// Replaces production's schema by development's schema.
    package static let deploy = AdminOperation<SchemaPlan, SchemaOutcome>(
        .post("schema/deploy", .schema, inside: .environment).unknown(.ignored),
        OperationText(
            "deploySchema", "Give production the schema of development.",
            """
            The change covers types, fields, indexes, grants and roles, and deletes nothing of production: a schema \
            that lacks a type or field of production is refused, and `reason` names all of them. Production only. A \
            grant of READ on an existing type also needs records:read, a grant of CREATE or WRITE records:write.
            """),
        audit: .change(deploying)
    ) { call, plan in
        try await SchemaWork(plan, call).change { work in
            try await work.store().schema.deploy(
                work.store(.development).schema.current(), dryRun: plan.dryRun, ifTag: plan.ifTag, permit: work.permit)
        }
    }

    /// Resets development to production's schema and deletes development's data.
    package static let reset = AdminOperation<SchemaPlan, SchemaOutcome>(
        .post("schema/reset", .schema, inside: .environment).unknown(.ignored),
        OperationText(
            "resetSchema", "Begin development anew, with the schema of production and without any data.",
            "Development only."),
        audit: .change(resetting)
    ) { call, plan in
        try await SchemaWork(plan, call).change { work in
            try await work.store().schema.reset(
                to: work.production() ?? SchemaDefinition(), dryRun: plan.dryRun, ifTag: plan.ifTag)
        }
    }

    package static let builds = AdminOperation<EnvironmentAddress, IndexBuilds>(
        .get("schema/builds", .schema, inside: .environment).unknown(.ignored),
        OperationText(
            "listIndexBuilds", "Running index builds, and removed record types whose records await deletion.")
    ) { call, input in
        IndexBuilds(builds: try await call.schemaPlace(input).store.schema.buildProgress().map(IndexBuildInfo.init))
    }

    /// Audit actions of schema changes.
    package static let auditActions = [importing, deploying, resetting]
    private static let (importing, deploying) = ("imported a schema", "deployed the schema")
    private static let resetting = "reset the environment"
}

/// A schema change: its environment, and its conditions.
package struct SchemaPlan: OperationInput {
    package let place: EnvironmentAddress
    package let dryRun: Bool
    /// The tag that the environment's schema must have; nil for any.
    package let ifTag: String?

    package init(_ place: EnvironmentAddress, dryRun: Bool = false, ifTag: String? = nil) {
        self.place = place
        self.dryRun = dryRun
        self.ifTag = ifTag
    }

    package static let fields = InputFields(
        { Self($0, dryRun: $1, ifTag: $2) }, .group(\.place), .dryRun(\.dryRun), .ifTag(\.ifTag))
}

/// A schema's text to import.
package struct SchemaImport: OperationInput {
    package let plan: SchemaPlan
    package let schema: String

    package init(_ schema: String, _ plan: SchemaPlan) {
        self.schema = schema
        self.plan = plan
    }

    package static let fields = InputFields(
        { Self($1, $0) }, .group(\.plan), .body("schema", \.schema, "a schema's text"))
}

extension InputField where Value == Bool {
    fileprivate static func dryRun(_ property: InputProperty<Input, Value>) -> Self {
        let parameter = Parameter(
            name: Arguments.dryRun, kind: .choice(["true", "false"]),
            about: "`true` answers the steps without making the change.", location: .query)
        return Self(parameter, property, read: { try $0.isDryRun() }, json: { $0 ? .bool(true) : nil })
    }
}

extension InputField where Value == String? {
    fileprivate static func ifTag(_ property: InputProperty<Input, Value>) -> Self {
        let parameter = Parameter(
            name: "ifTag", kind: .text(atMost: Arguments.longestText),
            about: """
                An `ETag` of the environment's schema, from `GET schema` or a dry run: a schema with another tag is not \
                changed. Without it, or with `*`, any schema is changed.
                """, location: .header("If-Match"))
        return Self(
            parameter, property, read: { try $0.optionalText("ifTag") }, json: { $0.map(JSONValue.string) })
    }
}

extension InputField where Value == String {
    /// The request's body as text.
    ///
    /// - Parameter content: the meaning of the text, for refusals.
    fileprivate static func body(
        _ name: String, _ property: InputProperty<Input, Value>, _ content: String
    ) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: 0), about: content, isRequired: true, location: .body)
        return Self(parameter, property) { arguments in
            guard let text = arguments[name]?.string else {
                throw ServerError.badRequest("the request has no body; it must be \(known: content)")
            }
            return text
        } json: {
            .string($0)
        }
    }
}
