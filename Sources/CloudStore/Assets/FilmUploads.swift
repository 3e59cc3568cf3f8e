import CloudAssets
package import CloudModel

extension UploadStore {
    /// The film of a video asset that every browser plays, or how far it has come; nil if no such asset is stored.
    ///
    /// - Parameter begins: true to begin it, if that has not been done.
    /// - Throws: `THROTTLED` when too many of the account's films are unfinished; `TRY_AGAIN_LATER` when the disk is full.
    package func film(of asset: AssetKey, begins: Bool) async throws -> FilmAnswer? {
        let found = try await stored.reads.read(.small) { db in try AssetTable.find(asset, db) }
        guard let row = found else { return nil }
        guard ContentType.isVideo(row.description.contentType) else { return .none(.noVideo) }
        guard let films = stored.previews?.films else { return .none(.notMadeHere) }
        let facts = try await facts(of: asset)
        return try await films.film(of: row, facts, in: stored.assets, begins: begins) { [stored] in
            try await stored.reads.read(.small) { db in try AssetTable.account(of: row.id, db) }
        }
    }

    /// Returns when all films that have been begun have ended.
    package func finishFilms() async { await stored.previews?.films?.finished() }
}
