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

/// Stills and movies that are one Live Photo: those with one content identifier, a lone still and a lone short movie in one
/// record, and without identifiers a still and a short movie of one name that were taken together.
enum LivePairs {
    /// Longer movies are films of their own.
    private static let longest = Duration.seconds(10)
    /// Milliseconds between the times of halves that are joined by their names.
    private static let together: Int64 = 3000

    /// The stills of movies, by the keys of the movies. Each still has one movie.
    static func find(_ files: [PageFile]) -> [ItemKey: PageFile] {
        var stills: [ItemKey: PageFile] = [:]
        var taken: Set<ItemKey> = []
        let records = Dictionary(grouping: files) { ExactName($0.key.recordName) }
        let named = files.filter { $0.isPicture && $0.stem != nil && $0.facts?.contentIdentifier == nil }
        let byStem = Dictionary(grouping: named, by: \.stem)
        let byIdentifier = Dictionary(grouping: files.filter(\.isPicture)) { $0.facts?.contentIdentifier }
        for movie in files where movie.isMovieOfLivePhoto(longest) {
            let own = records[ExactName(movie.key.recordName)] ?? []
            var still = movie.facts?.contentIdentifier.flatMap { identifier in
                byIdentifier[identifier]?.first { !taken.contains($0.key) }
            }
            // A movie in another record is a record of its own.
            if let found = still, !found.key.recordName.isExactly(movie.key.recordName), own.count > 1 { still = nil }
            if still == nil { still = loneStill(in: own, beside: movie) }
            if still == nil, movie.isNamedMovie {
                still = byStem[movie.stem]?.first { !taken.contains($0.key) && areTogether($0, movie) }
            }
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

    /// True for files of one moment, or of one time of day where one of them does not tell its zone.
    private static func areTogether(_ one: PageFile, _ other: PageFile) -> Bool {
        let isNear = { (one: Int64, other: Int64) in
            let (difference, isTooLarge) = one.subtractingReportingOverflow(other)
            return !isTooLarge && (-together...together).contains(difference)
        }
        if isNear(one.standing.moment, other.standing.moment) { return true }
        guard let clock = one.facts?.clock, let otherClock = other.facts?.clock else { return false }
        return isNear(clock.milliseconds, otherClock.milliseconds)
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

    /// True for a movie that may be joined by its name: a name says less than an identifier, so its length must be known.
    fileprivate var isNamedMovie: Bool {
        stem != nil && facts?.contentIdentifier == nil && facts?.duration != nil
    }

    /// True if the file's other half may be anywhere on the page.
    var mayBeHalf: Bool { facts?.contentIdentifier != nil || stem != nil }
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
