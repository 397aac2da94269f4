/// A line of a `.gitignore`: what it names is left out, or with `!` taken back in.
///
/// `*` and `?` stop at slashes, `**` does not; a slash in front or in the middle ties the pattern to its folder, one at
/// the end means folders only.
struct ExcludePattern: Sendable {
    private var segments: [[UInt8]]
    private var isTaken: Bool
    private var foldersOnly: Bool
    /// The folder it was written in, with a slash at the end; empty for the root.
    private var base: String

    /// - Returns: Nil for a comment and an empty line.
    init?(_ line: some StringProtocol, below folder: String) {
        var bytes = Array(line.utf8)
        while let last = bytes.last, last == 0x20 || last == 0x0D || last == 0x09 { bytes.removeLast() }
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        isTaken = first == UInt8(ascii: "!")
        if isTaken { bytes.removeFirst() }
        foldersOnly = bytes.last == UInt8(ascii: "/")
        if foldersOnly { bytes.removeLast() }
        let isTied = bytes.contains(UInt8(ascii: "/"))
        segments = bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
        guard !segments.isEmpty else { return nil }
        if !isTied { segments.insert(Array("**".utf8), at: 0) }
        base = folder.isEmpty ? "" : folder + "/"
    }

    /// Returns the patterns of a `.gitignore`; empty if the file cannot be read.
    static func patterns(ofFile path: String, below folder: String) -> [ExcludePattern] {
        let text = try? OpenFile(path).withBytes(most: 1 << 20) { $0.map { String(decoding: $0, as: UTF8.self) } }
        return (text ?? nil)?.split(whereSeparator: \.isNewline).compactMap { ExcludePattern($0, below: folder) } ?? []
    }

    /// Returns whether the last matching pattern excludes a path.
    static func excludes(_ path: String, isFolder: Bool, _ patterns: [ExcludePattern]) -> Bool {
        patterns.last { $0.matches(path, isFolder: isFolder) }.map { !$0.isTaken } ?? false
    }

    /// O(segments of both), each with the product of two segments' lengths at worst.
    func matches(_ path: String, isFolder: Bool) -> Bool {
        if foldersOnly, !isFolder { return false }
        guard path.hasPrefix(base) else { return false }
        let names = path.utf8.dropFirst(base.utf8.count).split(separator: UInt8(ascii: "/")).map(Array.init)
        // reached[n]: the segments so far match the first n names.
        var reached = [Bool](repeating: false, count: names.count + 1)
        reached[0] = true
        for segment in segments {
            var next = [Bool](repeating: false, count: names.count + 1)
            if segment == Array("**".utf8) {
                var open = false
                for count in 0...names.count {
                    open = open || reached[count]
                    next[count] = open
                }
            } else {
                for count in 0..<names.count where reached[count] {
                    next[count + 1] = Self.matches(segment[...], names[count][...])
                }
            }
            reached = next
        }
        return reached[names.count]
    }

    /// One name against one segment, going back to the last star only.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (p, n) = (pattern.startIndex, name.startIndex)
        var star: (pattern: Int, name: Int)?
        while n < name.endIndex {
            if p < pattern.endIndex, pattern[p] == UInt8(ascii: "*") {
                star = (p + 1, n)
                p += 1
            } else if p < pattern.endIndex, let after = step(pattern, p, name[n]) {
                p = after
                n += 1
            } else if let last = star {
                p = last.pattern
                n = last.name + 1
                star = (last.pattern, n)
            } else {
                return false
            }
        }
        while p < pattern.endIndex, pattern[p] == UInt8(ascii: "*") { p += 1 }
        return p == pattern.endIndex
    }

    /// Returns the place after the pattern character that matches the byte; `nil` if it does not match.
    private static func step(_ pattern: ArraySlice<UInt8>, _ place: Int, _ byte: UInt8) -> Int? {
        switch pattern[place] {
        case UInt8(ascii: "?"): return place + 1
        case UInt8(ascii: "\\") where place + 1 < pattern.endIndex: return pattern[place + 1] == byte ? place + 2 : nil
        case UInt8(ascii: "["):
            guard let end = pattern[(place + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
                return byte == UInt8(ascii: "[") ? place + 1 : nil
            }
            var inside = place + 1
            let isNegated = pattern[inside] == UInt8(ascii: "!") || pattern[inside] == UInt8(ascii: "^")
            if isNegated { inside += 1 }
            var isIn = false
            while inside < end {
                if inside + 2 < end, pattern[inside + 1] == UInt8(ascii: "-") {
                    isIn = isIn || (pattern[inside] <= byte && byte <= pattern[inside + 2])
                    inside += 3
                } else {
                    isIn = isIn || pattern[inside] == byte
                    inside += 1
                }
            }
            return isIn != isNegated ? end + 1 : nil
        default: return pattern[place] == byte ? place + 1 : nil
        }
    }
}
