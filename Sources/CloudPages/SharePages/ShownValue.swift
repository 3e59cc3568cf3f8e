package import CloudHTTP
package import CloudModel

extension PageLanguage {
    /// A rule's text in this language with the values of a record; nil for a text none of whose fields has a value.
    func filled(_ text: PageText, with record: PageRecord) -> String? {
        text.template(tag).filled { shown(record.field($0)) }
    }

    /// A field's value as display text; nil for an empty or undisplayable value.
    package func shown(_ field: PageRecord.Field?) -> String? {
        guard let field else { return nil }
        if field.type.hasSuffix("_LIST") {
            let kind = String(field.type.dropLast("_LIST".count))
            let texts = (field.value.array ?? []).compactMap { shown($0, kind) }
            return texts.isEmpty ? nil : list(texts)
        }
        return shown(field.value, field.type)
    }

    private func shown(_ value: JSONValue, _ type: String) -> String? {
        switch type {
        case "STRING": return value.string
        case "TIMESTAMP": return value.integer.map { date(Timestamp(milliseconds: $0)) }
        case "INT64": return value.integer.map { number($0) }
        case "DOUBLE":
            if case .number(let double) = value { return number(double) }
            return value.integer.map { number($0) }
        case "LOCATION":
            guard let place = value.object, let latitude = double(place["latitude"]),
                let longitude = double(place["longitude"])
            else { return nil }
            return "\(number(latitude)), \(number(longitude))"
        case "ASSETID": return PageAssetSize(value).map { size($0.bytes) }
        default: return nil
        }
    }

    private func double(_ value: JSONValue?) -> Double? {
        if case .number(let number) = value { return number }
        return value?.integer.map(Double.init)
    }
}

private struct PageAssetSize {
    let bytes: Int64

    init?(_ value: JSONValue) {
        guard let size = value.object?["size"]?.integer else { return nil }
        bytes = size
    }
}
