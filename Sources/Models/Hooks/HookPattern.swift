/// A name with wildcards: `*` stands for any text, `?` for one character. `blocks.*.hook_resid_post` is every block.
struct HookPattern: Sendable {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// O(name · pattern) at worst.
    func matches(_ name: String) -> Bool {
        let name = Array(name.utf8)
        var (at, place) = (0, 0)
        var star: (at: Int, place: Int)?
        while at < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (at, place)
                place += 1
            } else if place < pattern.count, pattern[place] == name[at] || pattern[place] == UInt8(ascii: "?") {
                (at, place) = (at + 1, place + 1)
            } else if let last = star {
                // The star takes one character more.
                star = (last.at + 1, last.place)
                (at, place) = (last.at + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
