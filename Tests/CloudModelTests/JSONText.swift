import CloudModel

func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

func text(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}

extension ZoneID {
    static let notes = ZoneID(name: "Notes", owner: "_alice")
    static let world = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)
}
