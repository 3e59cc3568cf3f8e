import CloudAccounts
import CloudModel

/// The contents of a person's export from one environment.
struct PersonContents {
    let home: PersonHome
    var counts: [PersonList: Int] = [:]
    var assets: Set<AssetKey> = []
    /// Assets whose contents are lost.
    var missingAssets: [AssetKey] = []

    init(_ home: PersonHome) { self.home = home }

    /// A safe file name: container names have a restricted alphabet, and the suffix rules out `..`.
    var folder: String { "\(home.container.name)-\(home.environment.rawValue)" }

    static func text(_ all: [PersonContents]) -> JSONWriter {
        var text = JSONWriter()
        text.object {
            $0.key("environments")
            $0.array { for contents in all { contents.write(to: &$0) } }
        }
        return text
    }

    private func write(to text: inout JSONWriter) {
        text.object {
            $0.member("folder", folder)
            $0.member("container", home.container.name)
            $0.member("environment", home.environment.rawValue)
            $0.member("userRecordName", home.user)
            $0.key("counts")
            $0.object { counts in
                for list in PersonList.allCases {
                    counts.key(list.rawValue)
                    counts.integer(Int64(self.counts[list] ?? 0))
                }
            }
            $0.member("assets", Int64(assets.count - missingAssets.count))
            $0.key("missingAssets")
            $0.array { for key in missingAssets { $0.string(key.fileChecksum) } }
        }
    }
}
