package import CloudWire
package import CloudModel

extension CallFault {
    /// Nil for an object without members for call faults.
    ///
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package init?(_ object: JSONObject) throws {
        self.init()
        operation = try EmulatorMember.integer("operation", of: object, in: 0...9_999)
        guard operation == nil || object["error"] != nil else {
            throw ServerError.badRequest("operation: is for a fault with error only, which that operation gets")
        }
        pageSize = try EmulatorMember.integer("pageSize", of: object, in: 1...9_999)
        refusesSyncTokens = try EmulatorMember.choice("syncToken", of: object, ["refused"]) != nil
        if operation == nil, pageSize == nil, !refusesSyncTokens { return nil }
    }
}
