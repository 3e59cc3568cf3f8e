@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import Testing

struct FindUsersTests {
    @Test("users/discover answers in order, and nothing about people outside the container")
    func discover() async throws {
        let fixture = try await UsersFixture()
        let mei = try await fixture.user("mei@example.com")
        let ben = try await fixture.user("ben@example.com")
        let body = """
            {"lookupInfos":[{"emailAddress":"no@example.com"},{"emailAddress":"BEN@example.com"},
            {"userRecordName":"\(mei.recordName)"},{"phoneNumber":"+15555550100"}]}
            """
        let (status, json) = try await fixture.ask(.post, "public/users/discover", query: mei.query, body)
        #expect(status == 200)
        let users = try #require(json["users"]?.array).map { try $0.members }
        #expect(users.map { $0["userRecordName"]?.string } == [nil, ben.recordName, mei.recordName, nil])
        #expect(users[0].members.map(\.key) == ["lookupInfo"])
        #expect(users[1]["lookupInfo"]?.object?["emailAddress"]?.string == "BEN@example.com")
        #expect(users[1]["nameComponents"]?.object?["familyName"]?.string == "Chen")
        #expect(!users[1].contains("serverErrorCode"))
    }

    @Test(
        "User lookups answer both shapes, with errors for unknown users",
        arguments: [("email", "emailAddress", true), ("id", "userRecordName", false)])
    func lookups(path: String, key: String, showsEmail: Bool) async throws {
        let fixture = try await UsersFixture()
        let mei = try await fixture.user("mei@example.com")
        let known = path == "email" ? "Mei@example.com" : mei.recordName
        let body = #"{"users":[{"\#(key)":"\#(known)"},{"\#(key)":"nobody"}]}"#
        let (_, json) = try await fixture.ask(.post, "public/users/lookup/\(path)", query: mei.query, body)
        let users = try #require(json["users"]?.array).map { try $0.members }
        #expect(users[0]["userRecordName"]?.string == mei.recordName)
        #expect(users[0]["firstName"]?.string == "Mei")
        #expect(users[0].contains("emailAddress") == showsEmail)
        #expect(users[0]["nameComponents"] != nil)
        #expect(users[0]["lookupInfo"]?.object?[key]?.string == known)
        #expect(users[1]["serverErrorCode"]?.string == "NOT_FOUND")
        #expect(users[1][key]?.string == "nobody")
        #expect(users[1]["reason"] != nil)
    }

    @Test(
        "users/lookup/contacts answers the container's other users",
        arguments: [
            (HTTPRequest.Method.get, "users/discover"), (.post, "users/discover"), (.get, "users/lookup/contacts"),
            (.post, "users/lookup/contacts"),
        ])
    func contactList(method: HTTPRequest.Method, path: String) async throws {
        let fixture = try await UsersFixture()
        let mei = try await fixture.user("mei@example.com")
        let ben = try await fixture.user("ben@example.com")
        _ = try await fixture.base.accounts.users.create(email: "stranger@example.com")
        let (_, json) = try await fixture.ask(method, "public/\(path)", query: mei.query)
        let users = try #require(json["users"]?.array).map { try $0.members }
        #expect(users.map { $0["userRecordName"]?.string } == [ben.recordName])
        #expect(users[0]["lookupInfo"] != nil)
    }

    @Test("Where users are not discoverable, a user finds only themselves") func undiscoverable() async throws {
        let fixture = try await UsersFixture()
        let mei = try await fixture.user("mei@example.com")
        _ = try await fixture.user("ben@example.com")
        _ = try await fixture.base.accounts.containers.update(
            name: "c", justInTimeSchema: nil, strictIndexes: nil, discoverableUsers: false)
        let body = #"{"lookupInfos":[{"emailAddress":"ben@example.com"},{"emailAddress":"mei@example.com"}]}"#
        let (_, found) = try await fixture.ask(.post, "public/users/discover", query: mei.query, body)
        #expect(
            try found["users"]?.array?.map { try $0.members["userRecordName"]?.string } == [nil, mei.recordName])
        let (_, contacts) = try await fixture.ask("public/users/discover", query: mei.query)
        #expect(contacts["users"]?.array?.isEmpty == true)
    }

    @Test("Users are found through the public database only", arguments: ["private", "shared"])
    func publicOnly(database: String) async throws {
        let fixture = try await UsersFixture()
        let mei = try await fixture.user("mei@example.com")
        for path in ["users/discover", "users/lookup/contacts", "users/lookup/email", "users/lookup/id"] {
            let (status, json) = try await fixture.ask(.post, "\(database)/\(path)", query: mei.query, "{}")
            #expect(status == 400)
            #expect(
                json["reason"]?.string
                    == "BadRequestException: endpoint not applicable in the database type '\(database)db'")
        }
    }

    @Test(
        "A malformed user lookup is refused by the member at fault",
        arguments: [
            ("users/discover", #"{"lookupInfos":7}"#, "lookupInfos"),
            ("users/discover", #"{"lookupInfos":[7]}"#, "lookupInfos[0]"),
            ("users/discover", #"{"lookupInfos":[{}]}"#, "lookupInfos[0]"),
            ("users/discover", #"{"lookupInfos":[{"emailAddress":"a@b"},{"emailAddress":[]}]}"#, "lookupInfos[1]"),
            ("users/lookup/email", "{}", "users"),
            ("users/lookup/email", #"{"users":[{"userRecordName":"_x"}]}"#, "users[0]"),
            ("users/lookup/id", #"{"users":[{"userRecordName":7}]}"#, "users[0].userRecordName"),
            ("users/lookup/id", #"{"users":[{},{},{},{}]}"#, "3"),
        ])
    func malformed(path: String, body: String, named: String) async throws {
        let fixture = try await UsersFixture(usersPerRequest: 3)
        let mei = try await fixture.user("mei@example.com")
        let (status, json) = try await fixture.ask(.post, "public/\(path)", query: mei.query, body)
        #expect(status == 400)
        #expect(json["serverErrorCode"]?.string == "BAD_REQUEST")
        #expect(json["reason"]?.string?.contains(named) == true)
    }
}
