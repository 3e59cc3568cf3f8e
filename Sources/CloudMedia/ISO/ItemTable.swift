/// The items of a `meta` box: pictures, tiles, gain maps and metadata of a HEIC or AVIF file.
struct ItemTable {
    struct Item {
        let id: Int
        let type: String
        /// The media type and coding of items of type `mime`.
        var contentType = ""
        var coding = ""
    }

    private struct Location {
        let method: Int
        let extents: [(at: Int, length: Int)]
    }

    private(set) var primary: Int?
    private(set) var items: [Item] = []
    private var locations: [Int: Location] = [:]
    private var properties: [Box] = []
    private var associations: [Int: [Int]] = [:]
    private var associationCount = 0
    /// Items that are parts of a derived one, in order.
    private var derivations: [Int: [Int]] = [:]
    private var data: Span?

    private static let mostItems = 5000
    private static let mostExtents = 20_000
    private static let mostAssociations = 50_000

    init(_ meta: Span) throws {
        for box in try Boxes.all(meta) {
            switch box.type {
            case "pitm": primary = try box.body.big(4, box.version() == 0 ? 2 : 4)
            case "iinf": try readItems(box)
            case "iloc": try readLocations(box)
            case "iref": try readReferences(box)
            case "iprp": try readProperties(box)
            case "idat": data = box.body
            default: break
            }
        }
    }

    func item(_ id: Int) -> Item? { items.first { $0.id == id } }

    func properties(of id: Int) -> [Box] {
        (associations[id] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }

    func firstPart(of id: Int) -> Item? { derivations[id]?.first.flatMap(item) }

    /// The bytes of an item, whose extents may stand apart.
    func contents(of id: Int, in file: Span) throws -> Block {
        guard let location = locations[id] else { throw MediaFault.broken }
        guard let source = location.method == 0 ? file : location.method == 1 ? data : nil else {
            throw MediaFault.broken
        }
        var whole = Block()
        for extent in location.extents {
            let length = extent.length == 0 ? source.count - extent.at : extent.length
            let part = try source.span(extent.at, length)
            guard part.count <= Block.most - whole.count else { throw MediaFault.limit }
            whole.append(try part.block())
        }
        return whole
    }

    private mutating func readItems(_ box: Box) throws {
        let width = try box.version() == 0 ? 2 : 4
        for entry in try Boxes.all(box.body.span(from: 4 + width)) where entry.type == "infe" {
            guard items.count < Self.mostItems else { throw MediaFault.limit }
            let version = try entry.version()
            guard version >= 2 else { continue }
            let width = version == 2 ? 2 : 4
            var item = Item(id: try entry.body.big(4, width), type: try entry.body.code(4 + width + 2))
            if item.type == "mime" {
                let start = 4 + width + 6
                let texts = try entry.body.bytes(start, min(entry.body.count - start, 512))
                    .split(separator: 0, omittingEmptySubsequences: false)
                item.contentType = texts.count > 1 ? latin(texts[1]) : ""
                item.coding = texts.count > 2 ? latin(texts[2]) : ""
            }
            items.append(item)
        }
    }

    private mutating func readLocations(_ box: Box) throws {
        let (body, version) = (box.body, try box.version())
        guard version <= 2 else { throw MediaFault.broken }
        let sizes = try body.big(4, 2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw MediaFault.broken
        }
        var (at, extents) = (6, 0)
        func take(_ length: Int) throws -> Int {
            defer { at += length }
            return length == 0 ? 0 : try body.big(at, length)
        }
        let count = try take(version < 2 ? 2 : 4)
        guard count <= Self.mostItems else { throw MediaFault.limit }
        for _ in 0..<count {
            let id = try take(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try take(2) & 15
            let reference = try take(2)
            let base = try take(baseSize)
            let parts = try take(2)
            extents += parts
            guard extents <= Self.mostExtents else { throw MediaFault.limit }
            var found: [(at: Int, length: Int)] = []
            for _ in 0..<parts {
                _ = try take(indexSize)
                let (start, isTooLarge) = base.addingReportingOverflow(try take(offsetSize))
                guard !isTooLarge else { throw MediaFault.broken }
                found.append((start, try take(lengthSize)))
            }
            // Bytes in another file are out of reach.
            locations[id] = Location(method: reference == 0 ? method : 2, extents: found)
        }
    }

    private mutating func readReferences(_ box: Box) throws {
        let width = try box.version() == 0 ? 2 : 4
        for reference in try Boxes.all(box.content()) where reference.type == "dimg" {
            let count = try reference.body.big(width, 2)
            guard count > 0 else { continue }
            let first = try reference.body.big(width + 2, width)
            derivations[try reference.body.big(0, width), default: []].append(first)
        }
    }

    private mutating func readProperties(_ box: Box) throws {
        for part in try Boxes.all(box.body) {
            if part.type == "ipco" { properties = try Boxes.all(part.body) }
            if part.type == "ipma" { try readAssociations(part) }
        }
    }

    private mutating func readAssociations(_ box: Box) throws {
        let (body, version) = (box.body, try box.version())
        let isWide = try body.big(3, 1) & 1 == 1
        let count = try body.big(4, 4)
        guard count <= Self.mostItems else { throw MediaFault.limit }
        var at = 8
        for _ in 0..<count {
            let id = try body.big(at, version == 0 ? 2 : 4)
            at += version == 0 ? 2 : 4
            let many = try body.big(at, 1)
            at += 1
            associationCount += many
            guard associationCount <= Self.mostAssociations else { throw MediaFault.limit }
            for _ in 0..<many {
                let index = isWide ? try body.big(at, 2) & 0x7FFF : try body.big(at, 1) & 0x7F
                associations[id, default: []].append(index)
                at += isWide ? 2 : 1
            }
        }
    }
}
