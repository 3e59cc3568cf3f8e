import CloudAccounts
package import CloudModel
import CloudStore
import CloudTransfer

/// Verifies stored data against its checksums and structure.
package enum CheckOperations {
    /// Reads all databases, records and assets, and reports problems. Changes nothing.
    package static let run = AdminOperation<CheckChoice, CheckInfo>(
        .post("check", .operations),
        OperationText("checkStored", "Read all stored data and list the differences from its checksums and structure.")
    ) { call, input in
        let (name, environment) = (input.container, input.environment)
        if let name { _ = try await call.accounts.containers.require(named: name) }
        var problems = try await call.accounts.problems().map { "accounts: \($0)" }
        var (records, assets, environments) = (0, 0, 0)
        for place in try await call.accounts.environments.made()
        where name ?? place.container.name == place.container.name
            && environment ?? place.environment == place.environment
        {
            let findings = await EnvironmentCheck(
                of: place.container, place.environment, in: call.workplace.folder, report: call.workplace.report
            ).run()
            let name = "\(place.environment.rawValue) of \(place.container.name)"
            problems += findings.problems.map { "\(name): \($0)" }
            if findings.more > 0 { problems.append("\(name): \(findings.more) more") }
            records += findings.records
            assets += findings.assets
            environments += 1
        }
        return CheckInfo(environments: environments, records: records, assets: assets, problems: problems)
    }
}

package struct CheckChoice: OperationInput {
    package let container: String?
    package let environment: ContainerEnvironment?

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "The container's name; all containers without."),
        .environment(\.environment, "The environment, development or production; both without."))
}

package struct CheckInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminCheck", "The result of a check.",
        [
            "problems": "A sentence per problem."
        ])

    package let environments: Int
    package let records: Int
    package let assets: Int
    /// A sentence per problem.
    package let problems: [String]
}
