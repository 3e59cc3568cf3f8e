import CloudModel
import Testing

/// Permissions in the public database (reference A §12).
struct GrantsTests {
    static let creators = Grants([Grants.creator: [.read, .create, .write]])
    static let mine = Caller.user(recordName: "_me")
    static let other = Caller.user(recordName: "_other")
    static let key = Caller.serverKey(recordName: "_key")

    @Test(
        "Grants to _creator decide about a record that the caller made",
        arguments: [
            (Grants.standard, Caller.world, Permission.read, nil),
            (.standard, .world, .create, .authenticationRequired),
            (.standard, .world, .write, .authenticationRequired),
            (.standard, mine, .read, nil), (.standard, mine, .create, nil), (.standard, mine, .write, nil),
            (.standard, other, .read, nil), (.standard, other, .create, nil), (.standard, other, .write, .accessDenied),
            (.standard, key, .create, nil), (.standard, key, .write, .accessDenied),
            (.users, mine, .create, .accessDenied), (.users, mine, .write, nil), (.users, other, .write, .accessDenied),
            (creators, .world, .read, .authenticationRequired), (creators, other, .read, .accessDenied),
            (creators, mine, .read, nil), (creators, mine, .write, nil),
            (Grants([:]), mine, .read, .accessDenied), (Grants([:]), .world, .read, .authenticationRequired),
            (Grants([Grants.world: [.write]]), .world, .write, nil),
        ] as [(Grants, Caller, Permission, ServerError.Code?)])
    func ownRecord(grants: Grants, caller: Caller, permission: Permission, refusal: ServerError.Code?) {
        #expect(grants.refusal(permission, to: caller, roles: [], creator: "_me")?.code == refusal)
        #expect(grants.allow(permission, to: caller, roles: [], creator: "_me") == (refusal == nil))
    }

    @Test("A grant to _creator permits no creation") func noCreator() {
        #expect(!Self.creators.allow(.create, to: Self.mine, roles: [], creator: nil))
        #expect(
            Self.creators.refusal(.create, to: Self.mine, roles: [], creator: nil)
                == ServerError(.accessDenied, "CREATE operation not permitted", .share(.readOnly)))
    }
}
