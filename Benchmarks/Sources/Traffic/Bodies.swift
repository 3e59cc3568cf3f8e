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
    ///
    /// - Parameter owner: whose zone it is, in the shared database.
    package static func changes(
        zone: String, owner: String? = nil, after token: String?, limit: Int = 200
    ) -> String {
        let start = token.map { #","syncToken":"\#($0)""# } ?? ""
        let whose = owner.map { #","ownerRecordName":"\#($0)""# } ?? ""
        return #"{"zones":[{"zoneID":{"zoneName":"\#(zone)"\#(whose)}\#(start)}],"resultsLimit":\#(limit)}"#
    }

    package static func createZone(_ zone: String) -> String {
        #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(zone)"}}}]}"#
    }

    /// One operation that makes a record.
    package static func create(_ name: String, type: String, parent: String? = nil, fields: String = "") -> String {
        #"{"operationType":"create","record":{"recordType":"\#(type)","recordName":"\#(name)","#
            + #"\#(parentMember(parent))"fields":{\#(fields)}}}"#
    }

    /// One operation that shares the record `name`, made in the same request, with whoever has the link.
    package static func share(_ name: String, permission: String) -> String {
        #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"share-of-\#(name)","#
            + #""forRecord":{"recordName":"\#(name)"},"publicPermission":"\#(permission)","participants":[],"#
            + #""fields":{"cloudkit.title":{"value":"Shared for measuring"}}}}"#
    }

    /// A record's parent, as a member before others.
    package static func parentMember(_ parent: String?) -> String {
        parent.map { #""parent":{"recordName":"\#($0)"},"# } ?? ""
    }

    private static func zoneMember(_ zone: String?) -> String {
        zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? ""
    }
}
