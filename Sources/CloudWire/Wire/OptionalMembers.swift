package import CloudModel

extension JSONObject {
    /// An optional string member.
    package func optionalText(_ key: String) throws(ServerError) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: key) must be a string, not \(known: value.kind)")
        }
        return text
    }

    /// An optional Boolean member.
    package func optionalFlag(_ key: String) throws(ServerError) -> Bool? {
        guard let value = self[key] else { return nil }
        guard let flag = value.bool else {
            throw .badRequest("\(known: key) must be true or false, not \(known: value.kind)")
        }
        return flag
    }
}
