import CloudMedia
import CloudModel
import CloudStore

/// The movie of a Live Photo, beside its still.
struct LiveMovie: Sendable {
    let key: ItemKey
    let version: String
    /// True if the movie may tell its place in bytes that were not found.
    let mayTellPlace: Bool
}

/// Stills and movies that are one Live Photo: those with one content identifier, and a lone still and a lone short movie in
/// one record.
enum LivePairs {
    /// Longer movies are films of their own.
    private static let longest = Duration.seconds(10)

    /// The stills of movies, by the keys of the movies. Each still has one movie.
    static func find(_ files: [PageFile]) -> [ItemKey: PageFile] {
        var stills: [ItemKey: PageFile] = [:]
        var taken: Set<ItemKey> = []
        let records = Dictionary(grouping: files) { ExactName($0.key.recordName) }
        let byIdentifier = Dictionary(grouping: files.filter(\.isPicture)) { $0.facts?.contentIdentifier }
        for movie in files where movie.isMovieOfLivePhoto(longest) {
            let own = records[ExactName(movie.key.recordName)] ?? []
            var still = movie.facts?.contentIdentifier.flatMap { identifier in
                byIdentifier[identifier]?.first { !taken.contains($0.key) }
            }
            // A movie in another record is a record of its own.
            if let found = still, !found.key.recordName.isExactly(movie.key.recordName), own.count > 1 { still = nil }
            if still == nil { still = loneStill(in: own, beside: movie) }
            guard let still, taken.insert(still.key).inserted else { continue }
            stills[movie.key] = still
        }
        return stills
    }

    private static func loneStill(in record: [PageFile], beside movie: PageFile) -> PageFile? {
        let pictures = record.filter(\.isPicture)
        guard pictures.count == 1, record.filter(\.isItem).count == 2 else { return nil }
        let identifiers = Set([pictures[0], movie].compactMap { $0.facts?.contentIdentifier })
        return identifiers.count > 1 ? nil : pictures[0]
    }

    /// The files with each movie behind its still.
    static func together(_ files: [PageFile]) -> [PageFile] {
        let stills = find(files)
        let movies = Dictionary(files.compactMap { file in stills[file.key].map { ($0.key, file) } }) { one, _ in one }
        return files.filter { stills[$0.key] == nil }.flatMap { [$0] + [movies[$0.key]].compactMap(\.self) }
    }
}

extension PageFile {
    fileprivate func isMovieOfLivePhoto(_ longest: Duration) -> Bool {
        isItem && !isPicture && facts?.duration ?? .zero <= longest
    }
}

extension PagePart {
    /// Joins stills and movies that are one item.
    mutating func joinLivePhotos() {
        let stills = LivePairs.find(files)
        guard !stills.isEmpty else { return }
        var movies: [ItemKey: LiveMovie] = [:]
        for movie in files {
            guard let still = stills[movie.key] else { continue }
            movies[still.key] = LiveMovie(
                key: movie.key, version: movie.version, mayTellPlace: movie.facts?.removal.isCertain == false)
        }
        files = files.filter { stills[$0.key] == nil }.map { file in
            var file = file
            file.movie = movies[file.key]
            return file
        }
    }
}
