/// Hand-written fields: a bare value means `{"value": …}`.
package enum WrittenFields {
    package static func whole(_ fields: JSONObject) -> JSONObject {
        JSONObject(
            fields.members.map { field in
                field.value.object != nil
                    ? field
                    : .init(key: field.key, value: .object(JSONObject([.init(key: "value", value: field.value)])))
            })
    }
}
