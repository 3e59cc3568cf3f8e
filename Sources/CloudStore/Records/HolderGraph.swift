import CloudModel

/// Records, their DELETE_SELF targets and their holders, as read so far by a search.
struct HolderGraph {
    struct Node {
        let id: Int64
        let name: String
        let tag: Int64
        let type: Int64
        let share: Int64?
        /// True for a share's root.
        let isRoot: Bool
        /// True if the record's DELETE_SELF targets are known.
        var isClimbed = false
    }

    /// A deferred cascade of a target.
    struct Source {
        let scope: CascadeScope
        /// The last processed record id.
        let passed: Int64
    }

    private struct Visit: Hashable {
        let id: Int64
        let share: Int64?
    }

    /// User records, which no cascade deletes, and share records, which no member's cascade deletes.
    let users: Int64
    let shares: Int64
    var nodes: [Int64: Node] = [:]
    /// The known holders of each name.
    var holders: [ExactName: [(id: Int64, kind: ReferenceKind)]] = [:]
    var sources: [ExactName: [Source]] = [:]
    private var hanging: [ExactName: Set<Int64>] = [:]
    private var seen: Set<ExactName> = []
    private var ids: [ExactName: Int64] = [:]

    /// Rounds of excluding held records; after these, all records count as staying.
    private static let mostRounds = 16

    init(users: Int64, shares: Int64) {
        self.users = users
        self.shares = shares
    }

    mutating func add(_ node: Node) {
        guard nodes[node.id] == nil else { return }
        nodes[node.id] = node
        ids[ExactName(node.name)] = node.id
    }

    mutating func hang(_ id: Int64, on target: String) { hanging[ExactName(target), default: []].insert(id) }

    /// - Returns: the new targets.
    mutating func add(_ found: [(id: Int64, target: String)]) -> [String] {
        var new: [String] = []
        for (id, target) in found {
            hang(id, on: target)
            if seen.insert(ExactName(target)).inserted { new.append(target) }
        }
        return new
    }

    /// The intersection of all cascades' scopes; its share is 0 for none, and negative if the shares differ.
    var commonScope: (position: Int64, share: Int64) {
        let scopes = sources.values.joined().map(\.scope)
        let shares = Set(scopes.map { $0.share ?? 0 })
        return (scopes.map(\.position).min() ?? .min, shares.count == 1 ? shares.first ?? 0 : -1)
    }

    /// The names of records that cascades reach and whose holders are unknown.
    ///
    /// - Parameter all: false to leave out holders that directly depend on the record they hold.
    func unasked(all: Bool) -> [String] {
        reached(without: []).compactMap { nodes[$0] }
            .filter { (all || $0.isClimbed) && holders[ExactName($0.name)] == nil }
            .map(\.name).sorted()
    }

    /// The records that cascades delete: all reached records except those held by staying records.
    func deleted() -> Set<Int64> {
        var held: [Int64: [Int64]] = [:]
        for (name, holders) in holders {
            guard let id = ids[name] else { continue }
            for holder in holders { held[holder.id, default: []].append(id) }
        }
        var staying: Set<Int64> = []
        for _ in 0..<Self.mostRounds {
            let gone = reached(without: staying)
            let before = staying.count
            var next = nodes.keys.filter { !gone.contains($0) }
            while let holder = next.popLast() {
                for id in held[holder] ?? [] where gone.contains(id) && staying.insert(id).inserted { next.append(id) }
            }
            if staying.count == before { return gone }
        }
        return []
    }

    /// The records that cascades reach without passing staying records.
    private func reached(without staying: Set<Int64>) -> Set<Int64> {
        var (visits, gone): (Set<Visit>, Set<Int64>) = ([], [])
        // A later deletion covers all that an earlier one covers.
        let first = sources.flatMap { name, sources in sources.map { (name, $0) } }
            .sorted { $0.1.scope.position > $1.1.scope.position }
        for (name, source) in first {
            var next = [(name: name, passed: source.passed)]
            while let place = next.popLast() {
                for id in hanging[place.name] ?? [] where id > place.passed && !staying.contains(id) {
                    guard let node = nodes[id], goes(node, source.scope),
                        visits.insert(Visit(id: id, share: source.scope.share)).inserted
                    else { continue }
                    gone.insert(id)
                    next.append((ExactName(node.name), 0))
                }
            }
        }
        return gone
    }

    private func goes(_ node: Node, _ scope: CascadeScope) -> Bool {
        guard node.tag <= scope.position, node.type != users else { return false }
        guard let share = scope.share else { return true }
        return !node.isRoot && node.type != shares && (share == 0 || node.share == share)
    }
}
