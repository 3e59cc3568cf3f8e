import CloudModel
import CloudStore

/// Verifies stored data against its checksums and structure.
package enum CheckOperations {
    /// Reads all databases, records and assets, and reports problems. Changes nothing.
    package static let run = AdminOperation<CheckInfo>(
        .post, "check", .operations, takes: ["container", "environment"]
    ) { call in
        let arguments = call.arguments
        let name = try arguments.optionalText("container")
        if let name { _ = try await call.accounts.containers.require(named: name) }
        let environment = arguments.has("environment") ? try arguments.environment() : nil
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

package struct CheckInfo: Codable, Hashable, Sendable {
    package let environments: Int
    package let records: Int
    package let assets: Int
    /// A sentence per problem.
    package let problems: [String]
}
