/// Texts of subscriptions that wake an app and show nothing.
enum Silent {
    private static let info = #""notificationInfo": {"shouldSendContentAvailable": true}"#

    static func query(
        _ type: String, as id: String, on events: [String], zone: String? = nil, filter: String = ""
    ) -> String {
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let events = events.map { #""\#($0)""# }.joined(separator: ", ")
        return #"{"subscriptionID": "\#(id)", "subscriptionType": "query", "firesOn": [\#(events)]\#(zone), "#
            + #""query": {"recordType": "\#(type)", "filterBy": [\#(filter)]}, \#(info)}"#
    }

    static func zone(_ zone: String, as id: String) -> String {
        #"{"subscriptionID": "\#(id)", "subscriptionType": "zone", "zoneID": {"zoneName": "\#(zone)"}, \#(info)}"#
    }

    static func database(as id: String) -> String {
        #"{"subscriptionID": "\#(id)", "subscriptionType": "database", \#(info)}"#
    }
}
