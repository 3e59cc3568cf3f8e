import CloudAccounts
import CloudHTTP
import CloudModel
import NIOCore

/// `/.well-known/apple-app-site-association`: apps that open links to share pages, from all containers' rules.
enum AppSiteAssociation {
    static let endpoint: PageEndpoint = { call in
        var ids: [String] = []
        for id in try await call.site.accounts.pageRules.list().flatMap({ $0.rule.app?.appIDs ?? [] })
        where !ids.contains(id) {
            ids.append(id)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=300"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json(ids))))
    }

    private static func json(_ ids: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.key("applinks")
            $0.object {
                $0.key("details")
                $0.array {
                    guard !ids.isEmpty else { return }
                    $0.object {
                        $0.key("appIDs")
                        $0.array { for id in ids { $0.string(id) } }
                        $0.key("components")
                        $0.array { $0.object { $0.member("/", "/share/*") } }
                    }
                }
            }
        }
        return writer.bytes
    }
}
