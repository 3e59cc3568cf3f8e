package import CloudModel
package import CloudStore

// JSON forms of administration: written by the server, read by the command line.

extension [SchemaStep] {
    package func write(to writer: inout JSONWriter, dryRun: Bool) {
        writer.object {
            $0.member("dryRun", dryRun)
            $0.key("changes")
            $0.array {
                for step in self {
                    $0.object {
                        $0.member("text", step.text)
                        $0.member("losesData", step.losesData)
                    }
                }
            }
        }
    }

    /// - Returns: nil for an invalid answer.
    package init?(_ json: JSONValue) {
        guard let changes = json.object?["changes"]?.array else { return nil }
        self = changes.compactMap { change in
            guard let text = change.object?["text"]?.string else { return nil }
            return SchemaStep(text: text, losesData: change.object?["losesData"]?.bool ?? false)
        }
    }
}

extension [IndexBuildProgress] {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.key("builds")
            $0.array {
                for build in self {
                    $0.object {
                        $0.member("recordType", build.type)
                        $0.member("state", build.state.rawValue)
                        $0.key("fields")
                        $0.array { for field in build.fields { $0.string(field) } }
                        $0.member("done", Int64(build.done))
                        $0.member("total", Int64(build.total))
                    }
                }
            }
        }
    }

    /// - Returns: nil for an invalid answer.
    package init?(_ json: JSONValue) {
        guard let builds = json.object?["builds"]?.array else { return nil }
        self = builds.compactMap { build in
            guard let build = build.object, let type = build["recordType"]?.string,
                let state = build["state"]?.string.flatMap(IndexBuildProgress.State.init)
            else { return nil }
            return IndexBuildProgress(
                type: type, state: state, fields: (build["fields"]?.array ?? []).compactMap(\.string),
                done: Int(build["done"]?.integer ?? 0), total: Int(build["total"]?.integer ?? 0))
        }
    }
}

extension RoleList {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.key("roles")
            $0.array {
                for role in roles {
                    $0.object {
                        $0.member("number", role.number)
                        $0.member("name", role.name)
                    }
                }
            }
            $0.key("members")
            $0.array { for member in members { member.write(to: &$0) } }
            $0.member("hasMore", hasMore)
        }
    }

    /// - Returns: nil for an invalid answer.
    package init?(_ json: JSONValue) {
        guard let object = json.object, let roles = object["roles"]?.array, let members = object["members"]?.array
        else { return nil }
        self.init(
            roles: roles.compactMap { role in
                guard let number = role.object?["number"]?.integer, let name = role.object?["name"]?.string
                else { return nil }
                return Role(number: number, name: name)
            },
            members: members.compactMap(RoleMember.init(json:)), hasMore: object["hasMore"]?.bool ?? false)
    }
}

extension RoleMember {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("userRecordName", userRecordName)
            $0.member("email", email)
            $0.key("roles")
            $0.array { for role in roles { $0.string(role) } }
        }
    }

    /// - Returns: nil for an invalid answer.
    package init?(json: JSONValue) {
        guard let name = json.object?["userRecordName"]?.string else { return nil }
        self.init(
            userRecordName: name, roles: (json.object?["roles"]?.array ?? []).compactMap(\.string),
            email: json.object?["email"]?.string)
    }
}
