import CloudModel
import Testing

/// Asset values as requests bring them and as they are stored (reference A §3.9).
struct AssetTests {
    private static let key = AssetKey(sha256: Array(0..<32))
    private static let type = FieldType(.asset)

    @Test("An asset's key is read from either base64 alphabet") func keyAlphabets() throws {
        let key = AssetKey(sha256: [UInt8](repeating: 0xFB, count: 32))
        #expect(key.text.utf8.count == 28)
        #expect(key.fileChecksum.contains("+") || key.fileChecksum.contains("/"))
        #expect(AssetKey(key.text) == key)
        #expect(AssetKey(key.fileChecksum) == key)
    }

    @Test(
        "A text that is not the base64 of a SHA-256 digest is refused as an asset key",
        arguments: [
            "", "A", "../../../../etc/passwd12345", "BQECAwQFBgcICQoLDA0ODxAREhMU", "AQECAwQFBgcICQoLDA0ODxAREhM=",
        ])
    func otherTexts(text: String) {
        #expect(AssetKey(text) == nil)
    }

    @Test(
        "An asset value is read in every form that clients send",
        arguments: [
            (#"{"value": {"fileChecksum": "KEY", "size": 5, "receipt": "r"}}"#, "r"),
            (#"{"value": {"fileChecksum": "KEY", "size": 5, "receipt": "r"}, "type": "ASSET"}"#, "r"),
            (
                #"{"type": "ASSETID", "value": {"size": "5", "fileChecksum": "KEY", "downloadURL": "x", "wrappingKey": 1}}"#,
                nil
            ),
        ])
    func forms(text: String, receipt: String?) throws {
        let expected = Asset(key: Self.key, size: 5, receipt: receipt)
        for declared in [nil, Self.type] {
            let typed = try decode(text, declared: declared)
            #expect(typed.type == Self.type && typed.value == .one(.asset(expected)))
        }
    }

    @Test("A list of assets is read with or without its type", arguments: [nil, FieldType(.asset, isList: true)])
    func lists(declared: FieldType?) throws {
        let text =
            #"{"value": [{"fileChecksum": "KEY", "size": 0, "receipt": "a"}, {"fileChecksum": "KEY", "size": 0}]}"#
        let expected = ["a", nil].map { Scalar.asset(Asset(key: Self.key, size: 0, receipt: $0)) }
        #expect(try decode(text, declared: declared).value == .list(expected))
    }

    @Test(
        "A value that is not an asset is refused",
        arguments: [
            #"{"value": {"fileChecksum": "KEY"}}"#, #"{"value": {"fileChecksum": "KEY", "size": "many"}}"#,
            #"{"value": {"fileChecksum": 5, "size": 5}}"#, #"{"value": {"receipt": "r"}}"#,
            #"{"value": {}, "type": "ASSETID"}"#, #"{"value": "KEY", "type": "ASSET"}"#,
            #"{"value": [{"fileChecksum": "KEY", "size": 1}, 5], "type": "ASSET_LIST"}"#,
            #"{"value": {"fileChecksum": "KEY", "size": 5}, "type": "ASSETID", "isEncrypted": true}"#,
        ])
    func malformed(text: String) {
        #expect(throws: ServerError.self) { try decode(text, declared: nil) }
    }

    @Test("A stored asset has a placeholder for its download URL, and no receipt")
    func storedForm() throws {
        var writer = JSONWriter()
        writer.object {
            FieldEncoding.write(
                "f", .one(.asset(Asset(key: Self.key, size: 5, receipt: "secret"))), type: Self.type,
                zone: ZoneID(name: "Z", owner: "_o"), to: &$0)
        }
        let stored = RecordBody(writer.bytes)
        let plain = try stored.json()["f"]?.object
        #expect(plain?["type"] == .string("ASSETID"))
        let value = try #require(plain?["value"]?.object)
        #expect(value["fileChecksum"] == .string(Self.key.fileChecksum))
        #expect(value["size"] == .integer(5))
        #expect(value["receipt"] == nil)
        #expect(value["referenceChecksum"]?.string?.utf8.count == 28)
        #expect(value["wrappingKey"]?.string?.utf8.count == 24)
        let filled = try stored.withDownloads { "link to \($0.text)" }.json()
        #expect(filled["f"]?.object?["value"]?.object?["downloadURL"] == .string("link to \(Self.key.text)"))
    }

    @Test("Filling in download URLs changes nothing in a body without placeholders") func noPlaceholders() {
        let body = RecordBody(Array(#"{"a": "\u0001\u0002"}"#.utf8))
        #expect(body.withDownloads { _ in "x" } == body)
        #expect(body.withoutPlaceholders == body)
        #expect(RecordBody([0x7B, 2, 0x7D]).withoutPlaceholders.bytes == [0x7B, 0x7D])
    }

    private func decode(_ text: String, declared: FieldType?) throws -> FieldDecoder.Typed {
        let json = try JSONParser.parse(Array(text.replacing("KEY", with: Self.key.fileChecksum).utf8))
        let field = try WireField(JSONObject.Member(key: "f", value: json))
        let decoder = FieldDecoder(recordType: "T", zone: ZoneID(name: "Z", owner: "_o"))
        return try decoder.decode(field, value: try #require(field.value), declared: declared)
    }
}
