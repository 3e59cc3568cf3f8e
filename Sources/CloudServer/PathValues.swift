import CloudModel

/// The parts of a path that stand in the place of names in its pattern.
struct PathValues: Sendable {
    /// Names that a pattern may have.
    static let most = 8

    private let path: Substring
    /// The start and the end of each part, in bytes of the path.
    private var bounds = SIMD16<UInt32>()
    private(set) var count = 0
    private(set) var environment: ContainerEnvironment?
    private(set) var database: DatabaseScope?
    private var containerIndex: Int?

    init(of path: Substring = "") { self.path = path }

    /// The container that the path names, whether or not there is one.
    var container: String? { containerIndex.map { text($0) } }

    /// The part in the place of the name at `index`, as received.
    func raw(_ index: Int) -> Substring {
        precondition(index < count)
        let start = path.utf8.index(path.startIndex, offsetBy: Int(bounds[2 * index]))
        let end = path.utf8.index(path.startIndex, offsetBy: Int(bounds[2 * index + 1]))
        return path[start..<end]
    }

    /// The part in the place of the name at `index`, decoded.
    func text(_ index: Int) -> String { PercentEncoding.decode(raw(index)) }

    /// All, decoded.
    var texts: [String] { (0..<count).map { text($0) } }

    mutating func append(_ part: Range<Int>) {
        bounds[2 * count] = UInt32(part.lowerBound)
        bounds[2 * count + 1] = UInt32(part.upperBound)
        count += 1
    }

    /// Takes back what was taken after the first `count`.
    mutating func forget(downTo count: Int) {
        self.count = count
        if let index = containerIndex, index >= count { containerIndex = nil }
    }

    /// - Parameter path: the bytes of all of the path.
    /// - Returns: false for a part that cannot stand for this name.
    mutating func take(_ path: UnsafeBufferPointer<UInt8>, _ part: Range<Int>, as name: PathName) -> Bool {
        guard !part.isEmpty || name == .name else { return false }
        let bytes = UnsafeBufferPointer(rebasing: path[part])
        switch name {
        case .environment:
            guard let named = ContainerEnvironment.allCases.first(where: { ASCIIText.areAlike(bytes, $0.rawValue) })
            else { return false }
            environment = named
        case .database:
            guard let named = DatabaseScope(rawValue: String(decoding: bytes, as: UTF8.self)) else { return false }
            database = named
        case .container: containerIndex = count
        case .name, .path, .other: break
        }
        append(part)
        return true
    }
}
