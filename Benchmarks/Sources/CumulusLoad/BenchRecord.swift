import Traffic

/// The record every measurement uses; PocketBase's rows hold the same.
enum BenchRecord {
    static let type = "Item"
    /// Records that share one `bucket`: the page a list of 100 asks for.
    static let perBucket = 100

    static func name(_ number: Int) -> String { "item-\(number)" }

    static func creating(_ number: Int, parent: String? = nil) -> String {
        #"{"operationType":"forceReplace","record":{"recordType":"\#(type)","recordName":"\#(name(number))","#
            + #"\#(Bodies.parentMember(parent))"fields":{"#
            + #""title":{"value":"Item number \#(number)","type":"STRING"},"#
            + #""number":{"value":\#(number),"type":"INT64"},"#
            + #""bucket":{"value":\#(number / perBucket),"type":"INT64"},"#
            + #""price":{"value":\#(Double(number % 1000) + 0.5),"type":"DOUBLE"},"#
            + #""note":{"value":"\#(note)","type":"STRING"}}}}"#
    }

    /// The same as a row of a PocketBase collection.
    static func row(_ number: Int) -> String {
        #"{"id":"\#(rowID(number))","title":"Item number \#(number)","number":\#(number),"#
            + #""bucket":\#(number / perBucket),"price":\#(Double(number % 1000) + 0.5),"note":"\#(note)"}"#
    }

    /// PocketBase's ids are fifteen letters or digits.
    static func rowID(_ number: Int) -> String {
        let digits = String(number)
        return "item" + String(repeating: "0", count: 11 - digits.count) + digits
    }

    private static let note =
        "A note of a hundred characters, as people write them about things they keep in a list for later on."
}
