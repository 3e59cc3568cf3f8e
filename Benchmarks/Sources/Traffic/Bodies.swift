/// Request bodies as text. Names and values here are made by the tools themselves and need no escaping.
package enum Bodies {
    /// One records/modify request; no zone means the default zone.
    package static func modify(_ operations: [String], zone: String? = nil, atomic: Bool = false) -> String {
        #"{"operations":[\#(operations.joined(separator: ","))],\#(zoneMember(zone))"atomic":\#(atomic)}"#
    }

    package static func lookup(_ names: [String], zone: String? = nil) -> String {
        let records = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        return #"{\#(zoneMember(zone))"records":[\#(records)]}"#
    }

    /// One page of a zone's changes after `token`, or from the beginning.
    package static func changes(zone: String, after token: String?, limit: Int = 200) -> String {
        let start = token.map { #","syncToken":"\#($0)""# } ?? ""
        return #"{"zones":[{"zoneID":{"zoneName":"\#(zone)"}\#(start)}],"resultsLimit":\#(limit)}"#
    }

    package static func createZone(_ zone: String) -> String {
        #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(zone)"}}}]}"#
    }

    private static func zoneMember(_ zone: String?) -> String {
        zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? ""
    }
}
