import CumulusKit

/// What each of the two does, seen by the other.
struct KeepTogether {
    let album: Album
    let link: Link

    private var stage: Stage { album.stage }

    func play() async throws {
        stage.want("Ben opens Anna's link.")
        try await stage.accept(album.guest.shareMetadata(for: link.url), by: album.guest)

        stage.want("His shared database has Anna's zone now.")
        let zones = try await album.guest.sharedCloudDatabase.allRecordZones().map(\.zoneID)
        try stage.check("with Anna as its owner", zones, is: [album.guestZone])
        stage.want("He sees Mia, and nothing of Jonas.")
        let guest = try await album.changes(forGuest: true)
        let records = guest.records.filter { !($0 is CKShare) }.map(\.name).sorted()
        try stage.check("exactly the shared tree", records, is: [Album.mia, "memory-steps"])
        let owner = try await album.changes(forGuest: false)

        stage.want("Ben adds a memory.")
        try await stage.succeed("saved") {
            try await album.write(asGuest: true, "memory-song", below: Album.mia, ["text": "She sang all day"])
        }
        let fed = try await album.changes(forGuest: false, since: owner.changeToken).records
        try stage.check("Anna's feed has it", fed.map(\.name), is: ["memory-song"])

        try await move(since: guest.changeToken)
    }

    private func move(since token: CKServerChangeToken) async throws {
        stage.want("Anna moves a memory of Jonas to Mia, and one of Mia to Jonas.")
        try await stage.succeed("moved in") {
            try await album.write(asGuest: false, "memory-tooth", below: Album.mia, [:], .changedKeys)
        }
        try await stage.succeed("moved out") {
            try await album.write(asGuest: false, "memory-steps", below: Album.jonas, [:], .changedKeys)
        }
        let news = try await album.changes(forGuest: true, since: token)
        let seen = news.records.map(\.name).sorted() + news.deletions.map { "\($0.recordID.recordName) deleted" }
        try stage.check(
            "one appears for Ben, one goes", seen, is: ["memory-song", "memory-tooth", "memory-steps deleted"])

        stage.want("He tries to write one beside the tree.")
        try await stage.refuse("not his to do", .permissionFailure) {
            try await album.write(asGuest: true, "memory-alone", ["text": "Nobody's"])
        }
    }
}
