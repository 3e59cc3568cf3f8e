package import CloudAccounts
import CloudWire
package import CloudModel
package import CloudStore

/// Handwritten test data: JSON objects, one per line, planted in order.
package struct Seed: Sendable {
    /// The numbers of planted objects.
    package struct Count: Sendable {
        package fileprivate(set) var (people, zones, records) = (0, 0, 0)
    }

    private struct Line {
        let number: Int
        let content: SeedLine
    }

    private let lines: [Line]
    private let limits: Limits

    /// - Throws: `BAD_REQUEST` naming the line and the member at fault.
    package init(_ text: String, limits: Limits) throws {
        self.limits = limits
        lines = try text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            index, line in
            guard line.contains(where: { !$0.isWhitespace }) else { return nil }
            do { return Line(number: index + 1, content: try Self.read(line, limits)) } catch let error as ServerError {
                throw error.prefixed(line: index + 1)
            }
        }
    }

    private static func read(_ line: Substring, _ limits: Limits) throws -> SeedLine {
        let value: JSONValue
        do { value = try JSONParser.parse(Array(line.utf8)) } catch {
            throw ServerError.badRequest("is not valid JSON: \(Naming.shown(error.reason))")
        }
        guard let object = value.object else {
            throw ServerError.badRequest("must be a JSON object, not \(known: value.kind)")
        }
        return try SeedLine(object, limits: limits)
    }

    /// Plants the seed in a container's development environment. Missing accounts are created.
    ///
    /// - Throws: an error naming the line at fault; the lines before the fault stay planted.
    package func plant(in container: Container, accounts: AccountStore, stores: ContainerStores) async throws -> Count {
        var planting = SeedPlanting(
            container: container, accounts: accounts, limits: limits,
            store: try await stores.store(container: container, environment: .development))
        var (rest, count) = (lines[...], Count())
        while let line = rest.first {
            do {
                switch line.content {
                case .person(let email, let names):
                    _ = try await planting.user(email, names)
                    count.people += 1
                    rest.removeFirst()
                case .zone(let name, let owner):
                    try await planting.makeZone(name, of: owner)
                    count.zones += 1
                    rest.removeFirst()
                case .record(_, let place):
                    let operations = operations(in: place, from: rest)
                    try await planting.save(operations, in: place)
                    count.records += operations.count
                    rest.removeFirst(operations.count)
                }
            } catch let refused as SeedPlanting.Refused {
                throw refused.error.prefixed(line: rest[rest.startIndex + refused.index].number)
            } catch let error as ServerError { throw error.prefixed(line: line.number) }
        }
        return count
    }

    /// The next batch of lines: consecutive records in the same place with distinct names, up to the limit per request.
    private func operations(in place: SeedLine.Place, from lines: ArraySlice<Line>) -> [RecordOperation] {
        var (found, names) = ([RecordOperation](), Set<String?>())
        for line in lines.prefix(limits.operationsPerRequest) {
            guard case .record(let operation, place) = line.content, names.insert(operation.recordName).inserted else {
                break
            }
            found.append(operation)
        }
        return found
    }
}

extension ServerError {
    /// The error with the seed's line number before its sentence.
    fileprivate func prefixed(line: Int) -> ServerError {
        ServerError(code, "line \(line): " + sentence, cause, retryAfter: retryAfter)
    }
}
