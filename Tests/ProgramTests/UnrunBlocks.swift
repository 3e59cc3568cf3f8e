/// The shell, JavaScript and Swift blocks of README.md and `docs/` that no test runs, by page and first line.
enum UnrunBlocks {
    struct Block {
        let page: String
        let line: String
        let reason: String
    }

    private static let engine = "needs a container engine"
    private static let runs = "serves until it is stopped"

    static let all: [Block] = [
        Block(page: "README.md", line: "git clone REPOSITORY cumulus", reason: "clones, and builds for minutes"),
        Block(
            page: "docs/clients.md", line: "npm install ./Public/client", reason: "npm is not among the test packages"),
        Block(
            page: "docs/clients.md",
            line: #"import { configureCloudKit } from "https://cloud.example.com/client/cloudkit-js.js";"#,
            reason: "the domain is somebody's; Tests/JavaScript calls configureCloudKit"),
        Block(
            page: "docs/clients.md", line: "docker compose -f compose.realhost.yaml up --detach", reason: engine),
        Block(
            page: "docs/clients.md", line: "cumulus serve --public-url https://api.apple-cloudkit.com", reason: runs),
        Block(
            page: "docs/clients.md", line: #"echo "192.0.2.10 api.apple-cloudkit.com" >> /etc/hosts"#,
            reason: "changes the machine"),
        Block(
            page: "docs/clients-swift.md", line: "// Package.swift", reason: "is a part of a manifest"),
        Block(
            page: "docs/console.md", line: "cumulus user create ines@example.com",
            reason: "asks for a password at the terminal"),
        Block(page: "docs/metrics.md", line: "CUMULUS_METRICS_ADDRESS=127.0.0.1:9464 cumulus serve", reason: runs),
        Block(page: "docs/operating.md", line: "make image", reason: engine),
        Block(page: "docs/operating.md", line: "docker compose up --detach", reason: engine),
        Block(
            page: "docs/operating.md", line: "docker exec cumulus cumulus container create iCloud.com.example.app",
            reason: engine),
        Block(
            page: "docs/operating.md", line: "make deb",
            reason: "needs root; make deb-check does it in a root of its own"),
        Block(
            page: "docs/operating.md",
            line: "cumulus container forget-data iCloud.com.example.app --environment production",
            reason: "needs a database that is lost; ManagementTests loses one"),
        Block(
            page: "docs/operating.md",
            line: "buildah bud --isolation chroot --format docker --tag cumulus .", reason: engine),
        Block(
            page: "docs/operating.md",
            line: "debootstrap --variant=minbase --include=ca-certificates bookworm base", reason: engine),
        Block(
            page: "docs/signing-in.md", line: "printf 'the client secret' | cumulus provider add work",
            reason: "names a provider of somebody's"),
        Block(
            page: "docs/signing-in.md", line: "cumulus provider update apple",
            reason: "needs an entry at Apple"),
        Block(
            page: "docs/signing-in.md", line: "const nonce = await container.prepareSignIn();",
            reason: "needs Google's script"),
    ]

    static func contains(_ block: String, of page: DocumentPage) -> Bool {
        all.contains { $0.page == page.path && block.hasPrefix($0.line) }
    }
}
