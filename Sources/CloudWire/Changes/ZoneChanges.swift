import CloudHTTP
import CloudModel
import CloudStore

extension ChangeEndpoints {
    /// `changes/zone`: changes in several zones, each with a page or an error (reference A §8.3).
    ///
    /// All zones share one byte limit. Once it is reached, later zones return no records and `moreComing`.
    package static let zone: ReadEndpoint = { call in
        try call.requireChangeFeeds()
        let elements = try call.elements("zones", limit: call.limits.zonesPerRequest)
        let defaults = Result { () throws(ServerError) in try call.options(of: call.body) }
        if elements.count == 1, call.fault == nil {
            let (object, index) = (elements[0], 0)
            return try read(call, try Self.object(object, at: index), defaults).map { written([$0]) }
        }
        return StoreRead {
            var pace = Pace()
            var answers: [ZoneResponse] = []
            for (index, element) in elements.enumerated() {
                let object = try object(element, at: index)
                if let zone = object["zoneID"], call.fault?.operation == index, let error = call.fault?.error {
                    answers.append(.failed(zone, error))
                } else {
                    answers.append(try await read(call, object, defaults).answer())
                    await pace.rest()
                }
            }
            return written(answers)
        }
    }

    private static func object(_ element: JSONValue, at index: Int) throws(ServerError) -> JSONObject {
        guard let object = element.object else {
            throw .badRequest("zones[\(index)] must be an object, not \(known: element.kind)")
        }
        return object
    }

    private static func written(_ answers: [ZoneResponse]) -> JSONWriter {
        var writer = JSONWriter(capacity: answers.reduce(256) { $0 + $1.size })
        writer.object {
            $0.key("zones")
            $0.array { for answer in answers { answer.write(to: &$0) } }
        }
        return writer
    }

    private enum ZoneResponse {
        case page(ZoneID, ZoneChangesPage)
        case failed(JSONValue, ServerError)

        /// Estimated bytes of the response.
        var size: Int {
            switch self {
            case .page(_, let page): page.records.reduce(512) { $0 + $1.size + 1 }
            case .failed: 512
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .page(let zone, let page):
                writer.object {
                    $0.key("zoneID")
                    zone.write(to: &$0)
                    $0.changesMembers(page)
                }
            case .failed(let zone, let error): writer.zoneError(zone, error)
            }
        }
    }

    private static func read(
        _ call: DatabaseCall, _ object: JSONObject, _ defaults: Result<ChangeOptions, ServerError>
    ) throws -> StoreRead<ZoneResponse> {
        do {
            let request = try call.zoneChanges(object, defaults: defaults)
            return call.store.changes.read(request).map { .page(request.zone, $0) }.recovering {
                try failed(object, $0)
            }
        } catch { return StoreRead(try failed(object, error)) }
    }

    /// - Throws: an error that concerns the whole request, or a zone without a name.
    private static func failed(_ object: JSONObject, _ error: any Error) throws -> ZoneResponse {
        guard let refusal = error as? ServerError, isOfOneZone(refusal), let zone = object["zoneID"],
            zone.object?["zoneName"]?.string != nil
        else { throw error }
        return .failed(zone, refusal)
    }

    /// True for an error of a single zone; the request then continues.
    private static func isOfOneZone(_ error: ServerError) -> Bool {
        switch error.code {
        case .authenticationRequired, .throttled, .tryAgainLater: false
        default: true
        }
    }
}
