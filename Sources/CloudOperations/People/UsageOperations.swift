import CloudAccounts
package import CloudModel
import CloudTransfer

/// Operations on a person's storage.
package enum UsageOperations {
    package static let show = AdminOperation<UserChoice, PersonUsageInfo>(
        .get("users/{email}/storage", .people, inside: .allEnvironments),
        OperationText("showUserUsage", "The storage that a person uses in each environment."),
        audit: .look("looked at a user's storage")
    ) { call, input in
        let account = try await UserOperations.requireAccount(input.email, call)
        let found = try await call.deletion().footprints(email: account.idText)
        return PersonUsageInfo(
            account: account.id, email: account.email, environments: found.map(PersonUsageInfo.EnvironmentUsage.init),
            quota: QuotaInfo(call.workplace.limits.quotas.user))
    }
}

/// A person's storage per environment, and the quota for one environment.
package struct PersonUsageInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminPersonUsage", "A person's storage per environment, and the quota for one environment.",
        ["email": "Left out for an account without an address."])

    package let account: Int64
    package let email: String?
    package let environments: [EnvironmentUsage]
    package let quota: QuotaInfo

    /// The address, or the account's id without one.
    package var name: String { email ?? String(account) }

    package struct EnvironmentUsage: Codable, Hashable, Sendable {
        package let container: String
        package let environment: ContainerEnvironment
        package let userRecordName: String
        package let records: Int
        package let bytes: Int
        package let assetBytes: Int

        init(_ place: PersonEnvironment) {
            container = place.container
            environment = place.environment
            userRecordName = place.userRecordName
            records = place.footprint.records
            bytes = place.footprint.bytes
            assetBytes = place.footprint.assetBytes
        }
    }
}
