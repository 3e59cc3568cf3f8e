package import CloudModel

/// The segments of a path matched by placeholders.
package struct PathValues: Sendable {
    /// Placeholders per pattern.
    package static let most = 8

    private let path: Substring
    /// Start and end of each segment, as byte offsets into the path.
    private var bounds = SIMD16<UInt32>()
    package private(set) var count = 0
    package private(set) var environment: ContainerEnvironment?
    package private(set) var database: DatabaseScope?
    private var containerIndex: Int?

    package init(of path: Substring = "") { self.path = path }

    /// The container's name in the path, not checked for existence.
    package var container: String? { containerIndex.map { text($0) } }

    /// The segment of the placeholder at `index`, as received.
    package func raw(_ index: Int) -> Substring {
        precondition(index < count)
        let start = path.utf8.index(path.startIndex, offsetBy: Int(bounds[2 * index]))
        let end = path.utf8.index(path.startIndex, offsetBy: Int(bounds[2 * index + 1]))
        return path[start..<end]
    }

    /// The segment of the placeholder at `index`, percent-decoded.
    package func text(_ index: Int) -> String { PercentEncoding.decode(raw(index)) }

    /// All segments, percent-decoded.
    package var texts: [String] { (0..<count).map { text($0) } }

    package mutating func append(_ part: Range<Int>) {
        bounds[2 * count] = UInt32(part.lowerBound)
        bounds[2 * count + 1] = UInt32(part.upperBound)
        count += 1
    }

    /// Drops all segments after the first `count`.
    package mutating func forget(downTo count: Int) {
        self.count = count
        if let index = containerIndex, index >= count { containerIndex = nil }
    }

    /// - Parameter path: bytes of the full path.
    /// - Returns: false if the segment does not match the placeholder.
    package mutating func take(_ path: UnsafeBufferPointer<UInt8>, _ part: Range<Int>, as name: PathName) -> Bool {
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
