import CloudModel
import Testing

@testable import CloudConsole

/// Verdicts and remedies of everything that refuses.
struct RemedyTests {
    private static let credentials: [CredentialsFault] = [
        .noAPIToken, .unknownAPIToken, .apiTokenOfAnotherContainer, .apiTokenOfAnotherEnvironment, .noOrigin,
        .anotherOrigin, .tokenBesideSignature, .signatureHeaders, .unknownKey, .keyOfAnotherContainer,
        .keyOfAnotherEnvironment, .keyOutsidePublic, .malformedDate, .date(off: 900, allowed: 600),
        .malformedSignature, .signature, .notSignedIn, .malformedSession, .unknownSession, .expiredSession,
        .sessionOfAnotherContainer, .sessionOfAnotherEnvironment, .sessionOfAnotherToken, .disabledUser,
        .unconfirmedUser, .noManagementToken, .unknownManagementToken, .managementTokenOfAnotherContainer,
        .managementTokenWithoutScope, .operatorRole, .expiredLink, .forgedLink, .usedLink, .password,
        .passwordNeeded, .code, .form, .notForKeys, .notForTests, .lastWayIn,
        .passkey("the origin is another"), .freshProof, .passwordsOff, .provider(reason: "the token has expired"),
    ]
    private static let schema: [SchemaFault] = [
        .unknownType, .unknownField(type: "Note"), .closed(.production), .closed(.development), .type(field: "title"),
        .builtIn, .changed,
        .text, .loss,
    ]
    private static let index: [IndexFault] = [
        .unmarked(type: "Note", field: "title", mark: "QUERYABLE"),
        .unmarked(type: "Note", field: nil, mark: "searchable"), .building(type: "Note", field: "title", percent: 40),
        .tooMuch,
    ]
    private static let permission = PermissionCheck(.write, roles: [], granted: ["_creator"], recordType: "Note")

    static let causes: [Cause] =
        [
            .input, .address, .permission(permission), .conflict(ConflictCheck(sent: nil, stored: "a")),
            .conflict(ConflictCheck(sent: nil, stored: nil)), .limit(200), .limit(LimitReached(200, "limit.x")),
            .atomic(culprit: 3), .atomic(culprit: nil),
        ] + credentials.map(Cause.credentials) + schema.map(Cause.schema) + index.map(Cause.index)
        + Cause.TargetFault.allCases.map(Cause.place) + ShareFault.allCases.map(Cause.share)
        + Cause.Thing.allCases.flatMap { [.missing($0), .taken($0)] }
        + Cause.ReferenceFault.allCases.map(Cause.reference) + Cause.PositionFault.allCases.map(Cause.position)
        + Cause.ServerTrouble.allCases.map(Cause.server)

    @Test("Every cause has a remedy and a verdict, each a sentence", arguments: causes)
    func sentences(cause: Cause) {
        let verdict = cause.verdict(reason: "", at: Timestamp(milliseconds: 0))
        for text in [cause.remedy.text, verdict] {
            #expect(text.hasSuffix(".") && !text.hasSuffix("..") && text.count > 10, "\(text)")
            #expect(text.first?.isLowercase == false || text.hasPrefix("ckAPIToken"), "\(text)")
            #expect(!text.contains("!") && !text.lowercased().contains("please"), "\(text)")
        }
        #expect(Set(cause.remedy.ways).count == cause.remedy.ways.count)
    }

    @Test("The table of causes is complete")
    func kinds() { #expect(Set(Self.causes.map(\.kind)) == Set(Cause.kinds)) }

    @Test("The verdict on a conflict names the record, its author, the time and both tags")
    func conflict() {
        var check = ConflictCheck(sent: "a", stored: "c")
        (check.recordName, check.recordType) = ("17", "Note")
        (check.changedBy, check.changed) = ("_omar", Timestamp(milliseconds: 7000))
        let verdict = Cause.conflict(check).verdict(reason: "", at: Timestamp(milliseconds: 10_000))
        #expect(
            verdict
                == "'17' of 'Note' has tag c since _omar changed it 3 s before, and the request sent \(check.sent.map { "tag \($0)" } ?? "no tag of it")."
        )
    }

    @Test("For limits, malformed input and wrong places the verdict is the reason itself")
    func reasons() {
        for cause in [Cause.limit(1), .input, .place(.database)] {
            #expect(cause.verdict(reason: "the body is empty", at: Timestamp(milliseconds: 0)) == "The body is empty.")
        }
    }
}
