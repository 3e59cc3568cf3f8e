import CloudModel

extension ShareFault {
    var remedy: Remedy {
        switch self {
        case .notFound: Remedy("Compare the link with the shares there are. The owner may have stopped it.", .shares)
        case .unverifiedAddress:
            Remedy("The user confirms the invited address, or accepts with the account of that address.", .person)
        case .mayAsk: Remedy("The user asks on the share page, or the owner invites them.", .shares)
        case .notAUser: Remedy("The user signs in to the app, or opens the share page.", .shares)
        case .notByLink: Remedy("The owner invites the user by name.", .shares)
        case .closed: Remedy("The owner opens the link again, or the user gives its password.", .shares)
        case .notMember: Remedy("The owner invites the user, or the user accepts the invitation first.", .shares)
        case .readOnly: Remedy("The owner lets the member write, or the app offers no change.", .shares, .actAs)
        case .ownerOnly: Remedy("The owner does it.", .shares)
        case .managersOnly: Remedy("The owner or an administrator of the share does it.", .shares)
        case .outside: Remedy("Save the record below a shared one, by its parent.", .shares, .actAs)
        case .sharedAlready: Remedy("Use the share there is, or stop it first.", .shares)
        case .cannotBeShared: Remedy("Move the record to a custom zone of the private database, and share it there.")
        }
    }
}

extension Cause.Thing {
    /// The remedy for a missing object.
    var missingRemedy: Remedy {
        switch self {
        case .record: Remedy("Look for the record in the database and zone of the request: it may be deleted.", .actAs)
        case .zone: Remedy("The app creates the zone first, or reads the list of zones again.")
        case .user: Remedy("Compare the record name with the people there are.", .person)
        case .role: Remedy("Compare the name with the roles in the schema.", .schema)
        case .subscription: Remedy("The app creates the subscription again.")
        case .asset: Remedy("The app uploads the file again, or asks for the record's new link.")
        case .container: Remedy("Correct the container's name, or make it with 'cumulus container create'.")
        case .session: Remedy("Compare the id with 'cumulus session list'.", .person)
        case .file: Remedy("Correct the path. The server has no such file.")
        case .page: Remedy("Correct the link. There is no page behind it.", .shares)
        case .webhook: Remedy("Compare the id with 'cumulus webhook list'.")
        case .token: Remedy("Compare the id with 'cumulus token list', or register the push token again.", .settings)
        case .key: Remedy("Compare the id with 'cumulus key list'.", .settings)
        case .request:
            Remedy("The server remembers the last requests only. The setting requests.count says how many.", .settings)
        case .share: Remedy("Compare the link with the shares there are.", .shares)
        case .snapshot: Remedy("Compare the name with the snapshots there are.", .emulator)
        case .backup: Remedy("Set backup.to, or compare the name with the list of backups.", .settings)
        case .provider: Remedy("Compare the name with 'cumulus provider list'.")
        }
    }
}

extension Cause.ServerTrouble {
    var remedy: Remedy {
        switch self {
        case .disk: Remedy("Make room on the disk and look at the log. The app tries again.")
        case .database: Remedy("Look at /health and the log. The app tries again.")
        case .assetStore: Remedy("Look whether the asset store answers, and at the log. The app tries again.")
        case .stopping: Remedy("Nothing: the app tries again when the server runs.")
        case .mail: Remedy("Compare the settings for mail with your mail server, and look at the log.", .settings)
        case .fault: Remedy("Look at the log: it has the fault under this request's id.")
        case .injected: Remedy("Nothing, if the test is meant to. Faults are ended in the emulator's view.", .emulator)
        }
    }
}
