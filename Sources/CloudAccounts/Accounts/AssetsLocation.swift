import CloudEngine
package import CloudSQL

/// The location of a data folder's assets, noted when the first environment is created.
///
/// Records refer to assets at this location only: a server with another location would find all assets missing.
package enum AssetsLocation {
    static let table = Layout(
        sqlite: "CREATE TABLE assetsPlace (place TEXT NOT NULL)",
        postgres: "CREATE TABLE assetsPlace (place TEXT COLLATE \"C\" NOT NULL)")
    static let renaming = """
        ALTER TABLE assetsPlace RENAME TO assetsLocation;
        ALTER TABLE assetsLocation RENAME COLUMN place TO location;
        """

    /// The configured location of assets differs from the noted location.
    struct Elsewhere: Error, CustomStringConvertible {
        let known: String
        let set: String

        var description: String {
            if known.hasPrefix(DataFolder.ownAssets + " "), set.hasPrefix(DataFolder.ownAssets + " ") {
                return "the assets are in \(known), and this server has \(set); servers that share a database share "
                    + "the assets too: set assets.url of all to one place, after an export and an import of each "
                    + "environment"
            }
            return "the assets of this data folder are in \(known), and assets.url names \(set); set it as it was, or "
                + "export each environment and import it into a new data folder"
        }
    }

    /// Notes the location, unless a location is noted.
    ///
    /// - Throws: ``Elsewhere`` if the noted location differs.
    static func claim(_ folder: DataFolder, _ pool: any SQLPool) throws {
        let location = try location(folder)
        try pool.writeBlocking { db in
            let isUsed = try db.first("SELECT 1 FROM madeEnvironment LIMIT 1") { _ in true } ?? false
            let noted = try db.first("SELECT location FROM assetsLocation") { $0.text(0) }
            let known = isUsed ? noted ?? DataFolder.ownAssets : location
            // Earlier versions noted a folder that shares a database without the folder's name.
            let isNamedNow = known == DataFolder.ownAssets && location.hasPrefix(known)
            guard known == location || isNamedNow else { throw Elsewhere(known: known, set: location) }
            guard location != noted ?? DataFolder.ownAssets else { return }
            try note(location, db)
        }
    }

    /// The location of a folder's assets, for messages and comparison. Servers that share a database each have a data folder;
    /// the folder's name tells them apart.
    private static func location(_ folder: DataFolder) throws -> String {
        guard folder.assetsLocation == DataFolder.ownAssets, folder.engine.locks != nil else {
            return folder.assetsLocation
        }
        return "\(DataFolder.ownAssets) \(try folder.name())"
    }

    /// Replaces the noted location, after all assets have moved.
    package static func note(_ location: String, _ db: SQLConnection) throws {
        try db.run("DELETE FROM assetsLocation")
        if location != DataFolder.ownAssets { try db.run("INSERT INTO assetsLocation VALUES (?)", .text(location)) }
    }
}
