import CloudModel

extension RecordOperation {
    /// Names of the empty lists it brings for fields that the type does not have. They are stored with the record and
    /// add nothing to the schema (reference A §3.2).
    func untypedLists(_ type: RecordType?) -> [String] {
        fields.filter { $0.isUntypedList && type?.fields[$0.name] == nil }.map(\.name)
    }
}
