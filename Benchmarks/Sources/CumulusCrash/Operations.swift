/// The operations the writers send, as JSON text.
enum Operations {
    static func create(_ name: String, value: String, number: Int) -> String {
        #"{"operationType":"create","record":{"recordType":"\#(World.recordType)","recordName":"\#(name)","#
            + fields(value, number) + "}}"
    }

    static func update(_ name: String, tag: String, value: String, number: Int) -> String {
        #"{"operationType":"update","record":{"recordName":"\#(name)","recordChangeTag":"\#(tag)","#
            + fields(value, number) + "}}"
    }

    static func delete(_ name: String, tag: String) -> String {
        #"{"operationType":"delete","record":{"recordName":"\#(name)","recordChangeTag":"\#(tag)"}}"#
    }

    private static func fields(_ value: String, _ number: Int) -> String {
        #""fields":{"v":{"value":"\#(value)","type":"STRING"},"n":{"value":\#(number),"type":"INT64"}}"#
    }
}
