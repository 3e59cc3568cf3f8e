import CloudModel

extension RecordOperation {
    /// Names of the operation's empty lists without a field in the type. They are stored with the record and add nothing to
    /// the schema (reference A §3.2).
    func untypedLists(_ type: RecordType?) -> [String] {
        fields.filter { $0.isUntypedList && type?.fields[$0.name] == nil }.map(\.name)
    }
}
