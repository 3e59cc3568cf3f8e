import CumulusKit

/// Ben accepts, reads and changes the list; both change it at once; Clara, who has the link too, is told nothing.
struct EditTogether {
    let owner: CKContainer
    let friend: CKContainer
    let stranger: CKContainer
    let link: Link
    let stage: Stage

    func play() async throws {
        stage.want("Clara was not invited. She tries the link all the same.")
        try await stage.refuse("there is nothing for her", .unknownItem) {
            try await stranger.shareMetadata(for: link.url)
        }

        stage.want("Ben looks at what the link is, then accepts.")
        let invitation = try await friend.shareMetadata(for: link.url)
        try stage.check("invited", invitation.participantStatus, is: .pending)
        try await stage.accept(invitation, by: friend)

        stage.want("He reads the list in his shared database, and adds to it.")
        let (mine, theirs) = (owner.privateCloudDatabase, friend.sharedCloudDatabase)
        let list = try await mine.record(for: CKRecord.ID(recordName: "item-note", zoneID: ShareItems.zone))
        let seen = try await theirs.record(
            for: CKRecord.ID(recordName: list.name, zoneID: invitation.share.recordID.zoneID))
        seen["text"] = "Passport\nSun cream\nA good book\nTickets"
        try await stage.succeed("saved") { try await theirs.save(seen) }

        stage.want("Anna still has the list as it was, and saves a change of hers.")
        list["text"] = "Passport\nSun cream\nTwo books"
        let conflict = try await stage.refuse("refused: Ben was first", .serverRecordChanged) {
            try await mine.save(list)
        }
        guard let current = conflict.serverRecord else { throw conflict }
        try stage.check("she sees Ben's line", current.string("text")?.contains("Tickets"), is: true)
        current["text"] = "Passport\nSun cream\nTwo books\nTickets"
        try await stage.succeed("and saves both") { try await mine.save(current) }
    }
}

extension Stage {
    /// Lets somebody join what a link leads to, and holds the server to it.
    @discardableResult
    func accept(_ invitation: CKShare.Metadata, by guest: CKContainer) async throws -> CKShare.Metadata {
        try await guest.accept(invitation)
        let accepted = try await Wire.quietly { try await guest.shareMetadata(for: invitation.url) }
        try check("accepted", accepted.participantStatus, is: .accepted)
        return accepted
    }
}
