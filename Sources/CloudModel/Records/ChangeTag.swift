/// Change tags are change positions in base 36, as the original's look (reference A §2.4). Opaque to clients.
package enum ChangeTag {
    package static func text(_ position: Int64) -> String { String(position, radix: 36) }
}
