import Foundation
import TestProcess
import Testing

/// Glewlwyd, a provider of OpenID Connect, on the loopback, with one person. It ends with this process.
final class Glewlwyd: Sendable {
    /// Such as `http://127.0.0.1:4593/api/oidc`.
    let issuer: String
    static let client = "cumulus"
    static let secret = "secret-of-the-client"
    static let person = (name: "ann", password: "password of ann", email: "ann@example.com")

    /// The cookie of the person's browser that holds the session's name.
    private static let sessionCookie = "GLEWLWYD2_OIDC_SID"

    private let program: Program
    private let process: ChildProcess
    /// Held open; the script below ends the provider when it is closed.
    private let lifeline: FileHandle
    private let api: String

    private static let script = """
        /usr/bin/sqlite3 provider.db </usr/share/dbconfig-common/data/glewlwyd/install/sqlite3
        /usr/bin/glewlwyd --config-file=provider.conf </dev/null >provider.log 2>&1 &
        provider=$!
        cat >/dev/null
        kill -KILL $provider
        wait
        """

    private static func configuration(port: Int, folder: String) -> String {
        """
        port=\(port)
        bind_address="127.0.0.1"
        external_url="http://127.0.0.1:\(port)"
        api_prefix="api"
        login_url="login.html"
        log_mode="console"
        log_level="WARNING"
        cookie_secure=0
        session_key="GLEWLWYD2_SESSION_ID"
        session_expiration=3600
        admin_session_authentication="cookie"
        profile_session_authentication="cookie"
        login_api_enabled=true
        admin_scope="g_admin"
        profile_scope="g_profile"
        user_module_path="/usr/lib/glewlwyd/user"
        client_module_path="/usr/lib/glewlwyd/client"
        user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
        plugin_module_path="/usr/lib/glewlwyd/plugin"
        hash_algorithm="SHA512"
        database = { type = "sqlite3" path = "\(folder)/provider.db" }
        """
    }

    /// Starts a provider and registers a server as its client.
    ///
    /// - Parameter origin: the server's origin.
    init(_ program: Program, registering origin: String, as name: String) async throws {
        self.program = program
        let port = try FreePorts.take(1)[0]
        api = "http://127.0.0.1:\(port)/api"
        issuer = api + "/oidc"
        _ = try program.file("provider.conf", Self.configuration(port: port, folder: program.folder.path()))
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        process = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", "cd '\(program.folder.path())'\n" + Self.script],
            environment: ["PATH": "/usr/bin:/bin"],
            streams: (pipe.fileHandleForReading.fileDescriptor, nothing.fileDescriptor, nothing.fileDescriptor),
            bound: Program.bound)
        try pipe.fileHandleForReading.close()
        lifeline = pipe.fileHandleForWriting
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try await register(origin, as: name)
    }

    private func register(_ origin: String, as name: String) async throws {
        let (person, callback) = (Self.person, "\(origin)/auth/with/\(name)")
        let outcome = try await program.bash(
            """
            cd '\(program.folder.path())'
            curl -s --retry 60 --retry-delay 1 --retry-connrefused -o /dev/null '\(api)/config'
            openssl genrsa -out provider.key 2048 2>/dev/null
            openssl rsa -in provider.key -pubout -out provider.pub 2>/dev/null
            send() {
                jar=$1 method=$2 path=$3
                curl -sS --fail-with-body -b "$jar" -c "$jar" -X "$method" -H 'Content-Type: application/json' \\
                    --data-binary @- "\(api)$path"
            }
            echo '{"username": "admin", "password": "password"}' | send admin POST /auth/
            jq -n --rawfile key provider.key --rawfile cert provider.pub '{
                module: "oidc", name: "oidc", display_name: "OpenID Connect", enabled: true, parameters: {
                    iss: "\(issuer)", "jwt-type": "rsa", "jwt-key-size": "256", key: $key, cert: $cert,
                    "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 600,
                    "refresh-token-rolling": true, "allow-non-oidc": true, "auth-type-code-enabled": true,
                    "auth-type-code-revoke-replayed": true, "auth-type-token-enabled": false,
                    "auth-type-id-token-enabled": true, "auth-type-none-enabled": false,
                    "auth-type-password-enabled": false, "auth-type-client-enabled": false,
                    "auth-type-refresh-enabled": true, "pkce-allowed": true, "pkce-required": true,
                    "pkce-method-plain-allowed": false, "name-claim": "mandatory", "email-claim": "mandatory",
                    "scope-claim": "no", "subject-type": "public", "jwks-show": true,
                    "session-management-allowed": true, "session-cookie-name": "\(Self.sessionCookie)",
                    "session-cookie-expiration": 3600, "back-channel-logout-allowed": true,
                    "front-channel-logout-allowed": false,
                    "allowed-scope": ["openid", "profile", "email"], claims: [], scope: []}}' |
                send admin POST /mod/plugin/
            for scope in profile email; do
                echo '{"name": "'$scope'", "display_name": "'$scope'", "password_required": false, "scheme": {}}' |
                    send admin POST /scope/
            done
            jq -n '{username: "\(person.name)", name: "Ann Example", email: "\(person.email)",
                password: "\(person.password)", enabled: true,
                scope: ["openid", "profile", "email", "g_profile"]}' | send admin POST /user/
            jq -n '{client_id: "\(Self.client)", name: "Cumulus", confidential: true, enabled: true,
                password: "\(Self.secret)", client_secret: "\(Self.secret)", redirect_uri: ["\(callback)"],
                authorization_type: ["code"], scope: ["openid", "profile", "email"],
                token_endpoint_auth_method: ["client_secret_basic"],
                backchannel_logout_uri: "\(callback)/logout", backchannel_logout_session_required: "true"}' |
                send admin POST /client/
            echo '{"username": "\(person.name)", "password": "\(person.password)"}' | send person POST /auth/
            echo '{"scope": "openid profile email"}' | send person PUT '/auth/grant/\(Self.client)'
            """)
        try #require(outcome.status == 0, "\(outcome)")
    }

    /// The person agrees at the provider.
    ///
    /// - Parameter address: the authorization request that a server sent a browser to.
    /// - Returns: the address of the provider's answer; with `form_post` the fields of the form.
    func agree(_ address: String) async throws -> String {
        try await program.bash(
            """
            cd '\(program.folder.path())'
            curl -sS -b person -c person -o page -w '%{redirect_url}' '\(address)&g_continue'
            grep -o 'name="[a-z_]*" value="[^"]*"' page |
                sed -E 's/name="(.*)" value="(.*)"/\\1=\\2/' | paste -sd '&' - || true
            """
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The person ends the session at the provider, which tells the servers.
    ///
    /// - Returns: the status of the provider's answer.
    func signOut() async throws -> String {
        try await program.bash(
            """
            cd '\(program.folder.path())'
            session=$(awk '$6 == "\(Self.sessionCookie)" { print $7 }' person)
            curl -sS -b person -c person -X DELETE -o page -w '%{http_code}' "\(issuer)/session/$session"
            """
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
