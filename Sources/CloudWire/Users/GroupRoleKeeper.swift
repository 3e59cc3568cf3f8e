package import CloudAccounts
import CloudHTTP
import CloudModel
import CloudOperations
import Logging
import ServiceLifecycle

/// Takes away custom roles that groups no longer give: those of providers and identities that were changed by commands.
package struct GroupRoleKeeper: Service {
    private let work: GroupRoleWork
    private let interval: Duration
    private let logger: Logger

    package init(_ service: WireService, interval: Duration) {
        (work, self.interval, logger) = (service.groupRoles, interval, service.logger)
    }

    package func run() async throws {
        let job = PeriodicJob(every: interval, failure: "roles of groups could not be taken away", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await work.takeWithdrawn() } }
    }
}

extension WireService {
    /// Gives and takes the custom roles of a person's groups, after a sign-in.
    package func follow(_ roles: Set<GroupRole.Role>, of account: UserAccount, by person: ProvenPerson) async throws {
        try await groupRoles.follow(roles, of: account, by: person)
    }

    /// Takes away the custom roles that nothing gives an account any more; nil for all accounts.
    package func takeWithdrawnRoles(of account: Int64? = nil) async throws {
        try await groupRoles.takeWithdrawn(of: account)
    }

    fileprivate var groupRoles: GroupRoleWork {
        GroupRoleWork(accounts: accounts, stores: stores, limits: http.limits) { [logger] in
            logger.warning("a role of a group was not changed", metadata: ["reason": "\($0)"])
        }
    }
}
