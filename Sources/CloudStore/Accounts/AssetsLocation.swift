import CloudSQL

/// The place of the assets of a data folder's environments, as it was when the first of them was made.
///
/// Records name contents that are there and nowhere else, so whoever looks elsewhere would find all of them lost.
enum AssetsLocation {
    static let table = "CREATE TABLE assetsPlace (place TEXT NOT NULL)"

    /// The assets were kept in another place than the one that is set.
    struct Elsewhere: Error, CustomStringConvertible {
        let known: String
        let set: String

        var description: String {
            "the assets of this data folder are in \(known), and assets.url names \(set); set it as it was, or export each "
                + "environment and import it into a new data folder"
        }
    }

    /// Remembers the place, unless one is known.
    ///
    /// - Throws: ``Elsewhere`` when it is another.
    static func claim(_ folder: DataFolder, _ pool: any SQLPool) throws {
        try pool.writeBlocking { db in
            let place = folder.assetsPlace
            let isUsed = try db.first("SELECT 1 FROM madeEnvironment LIMIT 1") { _ in true } ?? false
            let noted = try db.first("SELECT place FROM assetsPlace") { $0.text(0) }
            let known = isUsed ? noted ?? DataFolder.ownAssets : place
            guard known == place else { throw Elsewhere(known: known, set: place) }
            guard place != noted ?? DataFolder.ownAssets else { return }
            try note(place, db)
        }
    }

    /// Remembers another place, which all assets have been brought to.
    static func note(_ place: String, _ db: SQLConnection) throws {
        try db.run("DELETE FROM assetsPlace")
        if place != DataFolder.ownAssets { try db.run("INSERT INTO assetsPlace VALUES (?)", .text(place)) }
    }
}
